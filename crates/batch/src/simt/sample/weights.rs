//! Option weights: the arms of a choice go in; the number of options in each comes out, and the
//! option of a rank, a vector of lanes at a time.

use crate::plan::{ArmClass, ArmTarget, ChoicePoint, Options, SetReg, binomial};
use crate::simd::{Lane8, Simd};
use crate::simt::code::NOTHING;
use crate::simt::registers::{LaneRegisters, count, load, put, words};
use crate::simt::state::sought::Sought;
use crate::simt::tuning::MAX_OPTIONS_PER_ARM;

/// What a choice counts and draws.
#[derive(Clone, Debug)]
pub struct OptionWeights<const K: usize> {
    pub arms: Vec<ArmWeights<K>>,
    pub classes: Vec<ClassWeights<K>>,
    /// Options of all arms, and runs behind them.
    pub options: [Lane8; K],
    pub totals: [Lane8; K],
    /// The index of the arm that each lane's rank selects.
    pub selected_arm: [Lane8; K],
    pub kind: Kind,
}

/// What is always the same of a choice.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// It is asked which arm a rank selects.
    pub needs_arm: bool,
    /// One run stands behind each option.
    pub sole: bool,
    /// All arms offer cells.
    pub cells: bool,
}

impl Kind {
    /// `needs_arm`: it is asked which arm a rank selects.
    pub fn new(point: &ChoicePoint, needs_arm: bool) -> Kind {
        Kind {
            needs_arm,
            sole: point.infallible || point.classes.iter().all(ArmClass::is_sole),
            cells: point.arms.iter().all(|arm| matches!(arm.options, Options::Cells { .. })),
        }
    }
}

/// An arm.
#[derive(Clone, Debug)]
pub struct ArmWeights<const K: usize> {
    /// The register of the cells that it offers, [`NOTHING`] if it offers something else.
    pub reg: usize,
    /// How many options those before it have.
    pub before: [Lane8; K],
}

/// The runs behind an option of the arms of a class, and those behind all options of the classes
/// before it.
#[derive(Clone, Debug)]
pub struct ClassWeights<const K: usize> {
    pub bounds: [Lane8; K],
    before: [Lane8; K],
    /// Its first arm.
    first: usize,
    /// Bounds have no more than 32 bits.
    narrow: bool,
}

impl<const K: usize> OptionWeights<K> {
    /// `needs_arm`: it is asked which arm a rank selects.
    pub fn new(point: &ChoicePoint, needs_arm: bool) -> OptionWeights<K> {
        let none = [Lane8::NONE; K];
        let class = |class: &ArmClass| ClassWeights {
            bounds: [Lane8::all(1); K],
            before: none,
            first: class.from,
            narrow: class.most().is_some_and(|most| most <= u64::from(u32::MAX)),
        };
        let arm = |arm: &ArmTarget| ArmWeights { reg: usize::from(cells_of(arm).0), before: none };
        OptionWeights {
            arms: point.arms.iter().map(arm).collect(),
            classes: point.classes.iter().map(class).collect(),
            options: none,
            totals: none,
            selected_arm: none,
            kind: Kind::new(point, needs_arm),
        }
    }

    /// Counts the options of each arm and the runs behind them. Tells the lanes that fall back to
    /// the scalar executor.
    #[inline(always)]
    pub fn count_weights<V: Simd, const W: usize>(
        &mut self,
        v: V,
        file: &LaneRegisters<W, K>,
        point: &ChoicePoint,
        i: usize,
    ) -> V::V8 {
        // What is written must not look like what these are read from.
        let (arms, classes, sets) = (self.arms.as_mut_slice(), self.classes.as_mut_slice(), file.sets.as_slice());
        let (Kind { sole, cells, .. }, known) = (self.kind, point.classes.as_slice());
        let (mut options, mut runs, mut apart) = (v.none(), v.none(), v.none());
        for which in 0..classes.len() {
            let (class, first) = (&known[which], options);
            let of_class = &mut arms[class.from..class.to];
            if cells {
                for at in 0..of_class.len() {
                    of_class[at].before[i] = v.store(options);
                    options = v.add(options, count(v, &load(v, &sets[of_class[at].reg][i])));
                }
            } else {
                for at in 0..of_class.len() {
                    let offered = point.arms[class.from + at].options;
                    let weight = file.weight(v, offered, i);
                    of_class[at].before[i] = v.store(options);
                    options = v.add(options, weight);
                    if let Options::Range { .. } | Options::Combinations { .. } = offered {
                        // Larger numbers than a product has room for.
                        apart = v.or(apart, v.less(v.all(MAX_OPTIONS_PER_ARM), weight));
                    }
                }
            }
            if class.unbounded && !point.infallible {
                apart = v.or(apart, v.truth(v.sub(options, first)));
                options = first;
            }
            if !sole {
                let weighed = &mut classes[which];
                let bound = file.bound(v, class, weighed.narrow, i);
                let count = v.sub(options, first);
                let all = if weighed.narrow { v.mul_halves(count, bound) } else { v.mul(count, bound) };
                weighed.bounds[i] = v.store(bound);
                weighed.before[i] = v.store(runs);
                runs = v.add(runs, all);
            }
        }
        self.options[i] = v.store(options);
        self.totals[i] = v.store(if sole { options } else { runs });
        apart
    }

    /// The option that each lane's rank selects, and the rank that is left.
    #[inline(always)]
    pub fn rank_divmod<V: Simd>(&self, v: V, number: V::V8, i: usize) -> (V::V8, V::V8) {
        if self.kind.sole {
            return (number, v.none());
        }
        // The last class that leaves a number of 0 and more is its own.
        let (arms, classes) = (self.arms.as_slice(), self.classes.as_slice());
        let (mut local, mut base, mut bound) = (number, v.none(), v.all(1));
        for which in 0..classes.len() {
            let class = &classes[which];
            let left = v.sub(number, v.load(&class.before[i]));
            local = v.blend_negative(left, local, left);
            base = v.blend_negative(v.load(&arms[class.first].before[i]), base, left);
            bound = v.blend_negative(v.load(&class.bounds[i]), bound, left);
        }
        let (option, rest) = v.divided(local, bound);
        (v.add(base, option), rest)
    }

    /// Finds the arm that each lane's option is of, and seeks the cell there. Tells the numbers of
    /// the options in their arms.
    #[inline(always)]
    pub fn select_by_rank<V: Simd, const W: usize>(
        &mut self,
        v: V,
        (file, sought): (&LaneRegisters<W, K>, &mut Sought<W, K>),
        i: usize,
        k: V::V8,
        lanes: V::V8,
    ) -> V::V8 {
        let (arms, sets) = (self.arms.as_slice(), file.sets.as_slice());
        if let [arm] = arms {
            sought.seek(v, i, &load(v, &sets[arm.reg][i]), k);
            return k;
        }
        // The last arm that leaves an option of 0 and more is its own.
        let (mut option, mut selected_arm, mut picks) = (k, v.none(), [v.none(); W]);
        for at in 0..arms.len() {
            let (left, of) = (v.sub(k, v.load(&arms[at].before[i])), &sets[arms[at].reg][i]);
            words!(word => {
                picks[word] = v.blend_negative(v.load(&of[word]), picks[word], left);
            });
            option = v.blend_negative(left, option, left);
            selected_arm = v.blend_negative(v.all(at as u64), selected_arm, left);
        }
        if self.kind.needs_arm {
            put(v, &mut self.selected_arm[i], selected_arm, lanes);
        }
        sought.seek(v, i, &picks, option);
        option
    }
}

impl<const W: usize, const K: usize> LaneRegisters<W, K> {
    /// How many options an arm has.
    #[inline(always)]
    fn weight<V: Simd>(&self, v: V, options: Options, i: usize) -> V::V8 {
        let number = |reg: crate::plan::NumReg| &self.numbers[usize::from(reg.0)][i];
        match options {
            Options::Cells { of, .. } => count(v, &load(v, &self.sets[usize::from(of.0)][i])),
            Options::One { open } => v.one(v.truth(v.load(number(open)))),
            Options::Range { from, to, .. } => {
                let (from, to) = (v.load(number(from)), v.load(number(to)));
                // More options than a word counts are as good as very many.
                let all = v.add(v.sub(to, from), v.all(1));
                let all = v.blend(all, v.all(u64::MAX), v.equal(all, v.none()));
                v.without(all, v.less_signed(to, from))
            }
            Options::Bits { of, .. } => v.ones(v.load(number(of))),
            Options::Combinations { of, size, .. } => {
                let n = count(v, &load(v, &self.sets[usize::from(of.0)][i]));
                if size == 2 {
                    v.down(v.mul_halves(n, v.sub(n, v.one(v.truth(n)))), 1)
                } else {
                    v.load(&Lane8(v.store(n).0.map(|n| binomial(n, size))))
                }
            }
            // A game with such a choice is not played in lock step.
            Options::Groups { .. } => v.none(),
        }
    }

    /// How many runs there are at most behind one option of an arm of a class.
    #[inline(always)]
    fn bound<V: Simd>(&self, v: V, class: &ArmClass, narrow: bool, i: usize) -> V::V8 {
        let mut sum = v.all(class.known);
        for at in 0..class.sized.len() {
            let (known, sizes) = &class.sized[at];
            let mut product = v.all(*known);
            // Of games in lock step no bound is a height: men do not stand on each other.
            for at in 0..sizes.len() {
                let size = count(v, &load(v, &self.sets[usize::from(sizes[at].of().0)][i]));
                product = if narrow { v.mul_halves(product, size) } else { v.mul(product, size) };
            }
            sum = v.add(sum, product);
        }
        sum
    }
}

/// The cells that an arm offers.
#[inline(always)]
pub fn cells_of(arm: &ArmTarget) -> SetReg {
    if let Options::Cells { of, .. } = arm.options { of } else { NOTHING }
}
