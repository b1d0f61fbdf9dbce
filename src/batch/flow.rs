//! Lanes part and meet, fail and complete their runs.

use super::lanes::{Chunk, Set};
use super::status::Lanes;
use crate::ir::{Linked, N};

/// A `first` that lanes are in.
#[derive(Debug, Default)]
pub struct Split<const W: usize> {
    index: u32,
    last: bool,
    /// Lanes that go on to the next block.
    next: Vec<Chunk>,
    /// Lanes that came through a block.
    met: Vec<Chunk>,
    chose: Vec<Chunk>,
    sets: Vec<Set<W>>,
    numbers: Vec<Chunk>,
}

impl<const W: usize> Lanes<W> {
    #[inline(always)]
    pub fn push_mask(&mut self) {
        self.masks.extend_from_slice(&self.on.mask);
    }

    #[inline(always)]
    pub fn top(&self) -> usize {
        self.masks.len().saturating_sub(self.file.chunks)
    }

    /// Lanes whose number is 0 wait for the other branch.
    #[inline(always)]
    pub fn part(&mut self, n: N) {
        self.push_mask();
        let n = self.file.at_number(n);
        for i in 0..self.file.chunks {
            let (mask, truth) = (self.on.mask[i], self.file.numbers[n + i].truth());
            self.masks.push(mask.without(&truth));
            self.on.mask[i] = mask.and(&truth);
        }
        self.on.settle();
    }

    #[inline(always)]
    pub fn other(&mut self) {
        let top = self.top();
        self.on.mask.copy_from_slice(&self.masks[top..]);
        self.masks.truncate(top);
        self.on.settle();
    }

    #[inline(always)]
    pub fn join(&mut self) {
        let top = self.top();
        for i in 0..self.file.chunks {
            self.on.mask[i] = self.masks[top + i].and(&self.at[i].alive);
        }
        self.masks.truncate(top);
        self.on.settle();
    }

    #[inline(always)]
    pub fn chosen(&mut self) {
        let top = self.top();
        self.masks.truncate(top);
        self.join();
    }

    #[inline(always)]
    pub fn need(&mut self, n: N) {
        let n = self.file.at_number(n);
        let mut any = false;
        for at in 0..self.on.list.len() {
            let i = self.on.list.get(at);
            let lost = self.on.mask[i].without(&self.file.numbers[n + i].truth());
            if !lost.is_empty() {
                self.fail(i, lost);
                any = true;
            }
        }
        if any {
            self.on.settle();
        }
    }

    pub fn fail_all(&mut self) {
        for i in 0..self.on.mask.len() {
            let lost = self.on.mask[i];
            self.fail(i, lost);
        }
        self.on.settle();
    }

    /// Runs that end here. In a block of a `first`, a lane that has not drawn goes on to the next block. A lane that drew there and not
    /// before draws again: if the block has no run at all, that is found out alone in the end. One that drew before is played alone, as its
    /// number would be good for the next block. Elsewhere a run that was drawn is drawn again, and a turn without any is looked at alone.
    pub fn fail(&mut self, i: usize, mut lost: Chunk) {
        self.on.mask[i] = self.on.mask[i].without(&lost);
        self.at[i].alive = self.at[i].alive.without(&lost);
        let mut chose = self.at[i].chose;
        for split in self.splits[..self.depth].iter_mut().rev() {
            if !split.last {
                let drew = lost.and(&chose);
                split.next[i] = split.next[i].or(&lost.without(&chose));
                self.at[i].alone = self.at[i].alone.or(&drew.and(&split.chose[i]));
                self.at[i].failed = self.at[i].failed.or(&drew.without(&split.chose[i]));
                lost = Chunk::NONE;
            }
            chose = chose.or(&split.chose[i]);
        }
        self.at[i].failed = self.at[i].failed.or(&lost.and(&chose));
        self.at[i].alone = self.at[i].alone.or(&lost.without(&chose));
    }

    /// No choice follows: lanes of whose number something is left have drawn in vain.
    #[inline(always)]
    pub fn expect_no_number(&mut self) {
        let mut any = false;
        for at in 0..self.on.list.len() {
            let i = self.on.list.get(at);
            let status = &mut self.at[i];
            let left = status.number.truth().and(&status.drawn).and(&self.on.mask[i]);
            if !left.is_empty() {
                status.failed = status.failed.or(&left);
                status.alive = status.alive.without(&left);
                self.on.mask[i] = self.on.mask[i].without(&left);
                any = true;
            }
        }
        if any {
            self.on.settle();
        }
    }

    /// The run is complete if its number is.
    #[inline(always)]
    pub fn complete(&mut self) {
        for at in 0..self.on.list.len() {
            let i = self.on.list.get(at);
            let left = self.at[i].number.truth().and(&self.at[i].drawn).and(&self.on.mask[i]);
            self.at[i].failed = self.at[i].failed.or(&left);
            self.at[i].done = self.at[i].done.or(&self.on.mask[i].without(&left));
        }
    }

    pub fn split(&mut self, linked: &Linked, index: u32) {
        self.push_mask();
        if self.splits.len() == self.depth {
            self.splits.push(Split::default());
        }
        let k = self.file.chunks;
        let split = &mut self.splits[self.depth];
        (split.index, split.last) = (index, false);
        split.next.clone_from(&self.on.mask);
        split.met.clear();
        split.met.resize(k, Chunk::NONE);
        split.chose.clear();
        split.chose.resize(k, Chunk::NONE);
        split.sets.clear();
        split.sets.extend_from_slice(&self.file.sets[..self.shared.0 * k]);
        split.numbers.clear();
        split.numbers.extend_from_slice(&self.file.numbers[..self.shared.1 * k]);
        let kept = &linked.splits[index as usize];
        for reg in &kept.sets {
            let at = self.file.at(*reg);
            split.sets.extend_from_slice(&self.file.sets[at..at + k]);
        }
        for reg in &kept.numbers {
            let at = self.file.at_number(*reg);
            split.numbers.extend_from_slice(&self.file.numbers[at..at + k]);
        }
        self.depth += 1;
    }

    pub fn try_block(&mut self, last: bool) {
        let Some(split) = self.depth.checked_sub(1).map(|top| &mut self.splits[top]) else { return };
        split.last = last;
        for (kept, now) in split.chose.iter_mut().zip(&self.at) {
            *kept = now.chose;
        }
        for i in 0..self.on.mask.len() {
            let mask = std::mem::replace(&mut split.next[i], Chunk::NONE);
            self.at[i].chose = self.at[i].chose.without(&mask);
            self.at[i].alive = self.at[i].alive.or(&mask);
            self.on.mask[i] = mask;
        }
        self.on.settle();
    }

    pub fn tried(&mut self, linked: &Linked) {
        let Some(split) = self.depth.checked_sub(1).map(|top| &mut self.splits[top]) else { return };
        let k = self.file.chunks;
        for i in 0..k {
            split.met[i] = split.met[i].or(&self.on.mask[i]);
            self.at[i].chose = self.at[i].chose.or(&split.chose[i]);
            let back = split.next[i];
            if back.is_empty() {
                continue;
            }
            let kept = &linked.splits[split.index as usize];
            let sets = (0..self.shared.0).chain(kept.sets.iter().map(|reg| usize::from(reg.0)));
            for (at, reg) in sets.enumerate() {
                let set = &mut self.file.sets[reg * k + i];
                for word in 0..W {
                    set[word] = set[word].blend(&split.sets[at * k + i][word], &back);
                }
            }
            let numbers = (0..self.shared.1).chain(kept.numbers.iter().map(|reg| usize::from(reg.0)));
            for (at, reg) in numbers.enumerate() {
                let number = &mut self.file.numbers[reg * k + i];
                *number = number.blend(&split.numbers[at * k + i], &back);
            }
        }
    }

    pub fn met(&mut self) {
        let Some(top) = self.depth.checked_sub(1) else { return };
        self.depth = top;
        let parent = self.top();
        self.masks.truncate(parent);
        for i in 0..self.on.mask.len() {
            self.on.mask[i] = self.splits[top].met[i].and(&self.at[i].alive);
        }
        self.on.settle();
    }
}
