//! Plots: numbers go in; SVG that stands in a page comes out.
//!
//! Our own SVG, not that of a crate of plots: a plot takes its colours and letters from the page, in light and in dark, and a
//! backend of `plotters` writes fixed ones. These four plots are also smaller than what such a crate adds to the program.

use std::fmt::Write;

use crate::measures::study::Branching;
use crate::measures::tally::Bar;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;

/// What is drawn upon: ranges of both axes.
struct Chart {
    text: String,
    x: (f64, f64),
    y: (f64, f64),
}

impl Chart {
    fn new(title: &str, x: (f64, f64), y: (f64, f64)) -> Chart {
        let text = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            super::page::escaped(title)
        );
        Chart { text, x, y }
    }

    fn at_x(&self, x: f64) -> f64 {
        LEFT + (x - self.x.0) / (self.x.1 - self.x.0).max(1e-9) * (WIDTH - LEFT - RIGHT)
    }

    fn at_y(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - (y - self.y.0) / (self.y.1 - self.y.0).max(1e-9) * (HEIGHT - TOP - BOTTOM)
    }

    fn push(&mut self, shape: &str) {
        self.text += shape;
        self.text.push('\n');
    }

    fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let mut path = String::new();
        for (at, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if at == 0 { "M" } else { "L" }, self.at_x(*x), self.at_y(*y));
        }
        self.push(&format!("<path class=\"{class}\" d=\"{path}\"/>"));
    }

    /// Lines across at round numbers, with their numbers.
    fn rows(&mut self, format: impl Fn(f64) -> String) {
        for value in ticks(self.y, 5) {
            let y = self.at_y(value);
            self.push(&format!("<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/>", WIDTH - RIGHT));
            self.push(&format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                format(value)
            ));
        }
    }

    fn columns(&mut self, name: &str) {
        for value in ticks(self.x, 8) {
            let x = self.at_x(value);
            self.push(&format!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>",
                HEIGHT - BOTTOM + 18.0
            ));
        }
        self.name(name);
    }

    fn name(&mut self, name: &str) {
        let (x, y) = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6.0);
        self.push(&format!("<text class=\"axis\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{name}</text>"));
    }

    fn done(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }
}

/// Round numbers within a range, about so many.
fn ticks((least, most): (f64, f64), wanted: usize) -> Vec<f64> {
    let span = (most - least).max(1e-9);
    let steps = (-3..12).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
    let step = steps.into_iter().find(|step| span / step <= wanted as f64).unwrap_or(span);
    let first = (least / step - 1e-9).ceil() as i64;
    let last = (most / step + 1e-9).floor() as i64;
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    (first..=last).map(|at| round(at as f64 * step)).collect()
}

/// How many games have each length.
pub fn histogram(bars: &[Bar]) -> String {
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return String::new() };
    let most = bars.iter().map(|bar| bar.games).max().unwrap_or(1) as f64;
    let width = (first.to - first.from + 1) as f64;
    let mut chart =
        Chart::new("Histogram of lengths", (first.from as f64, last.from as f64 + width), (0.0, most * 1.05));
    chart.rows(|value| format!("{value}"));
    for bar in bars {
        let (left, right) = (chart.at_x(bar.from as f64), chart.at_x(bar.from as f64 + width));
        let (top, bottom) = (chart.at_y(bar.games as f64), chart.at_y(0.0));
        let range = if bar.from == bar.to { bar.from.to_string() } else { format!("{} to {}", bar.from, bar.to) };
        chart.push(&format!(
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{range} turns: {} games</title></rect>",
            left + 1.0,
            (right - left - 2.0).max(1.0),
            bottom - top,
            bar.games
        ));
    }
    chart.columns("turns of a game");
    chart.done()
}

/// The mean number of legal plies, turn by turn; pale where few games go on.
pub fn branching(turns: &[Branching]) -> String {
    let most_plies = turns.iter().map(|one| one.plies).max().unwrap_or(0);
    // Where few games are left, single games would make the line jump.
    let shown: Vec<&Branching> = turns.iter().filter(|one| one.plies * 10 >= most_plies).collect();
    let Some(last) = shown.last() else { return String::new() };
    let most = shown.iter().map(|one| one.legal).fold(1.0, f64::max);
    let mut chart = Chart::new("Legal plies by turn", (1.0, last.turn.max(2) as f64), (0.0, most * 1.05));
    chart.rows(|value| format!("{value}"));
    let points: Vec<(f64, f64)> = shown.iter().map(|one| (one.turn as f64, one.legal)).collect();
    let mut area = vec![(1.0, 0.0)];
    area.extend(&points);
    area.push((last.turn as f64, 0.0));
    chart.line("area", &area);
    chart.line("curve", &points);
    chart.columns("turn");
    chart.done()
}

/// How likely the first seat was thought to win, game by game.
pub fn prospects(curves: &[Vec<f64>], names: &[String]) -> String {
    let Some(most) = curves.iter().map(Vec::len).max().filter(|most| *most > 1) else { return String::new() };
    let mut chart = Chart::new("Win probability through sample games", (0.0, (most - 1) as f64), (0.0, 1.0));
    chart.rows(|value| format!("{:.0} %", 100.0 * value));
    for (at, curve) in curves.iter().enumerate() {
        let points: Vec<(f64, f64)> = curve.iter().enumerate().map(|(ply, value)| (ply as f64, *value)).collect();
        let result = match curve.last() {
            Some(end) if *end > 0.5 => "won",
            Some(end) if *end < 0.5 => "lost",
            _ => "drawn",
        };
        let class = if at == 0 { format!("game {result} one") } else { format!("game {result}") };
        chart.line(&class, &points);
    }
    let level = [(0.0, 0.5), ((most - 1) as f64, 0.5)];
    chart.line("level", &level);
    chart.columns("plies played");
    if let [first, second, ..] = names {
        let side = |name: &String, y: f64| {
            format!(
                "<text class=\"side\" x=\"{:.1}\" y=\"{y:.1}\">{} wins</text>",
                LEFT + 8.0,
                super::page::escaped(name)
            )
        };
        chart.push(&side(first, TOP + 14.0));
        chart.push(&side(second, HEIGHT - BOTTOM - 8.0));
    }
    chart.done()
}

/// A value with its interval, on a line from 0 to 1 with a mark where it is fair.
pub fn whisker(value: f64, [low, high]: [f64; 2], fair: f64) -> String {
    let at = |share: f64| 4.0 + 112.0 * share.clamp(0.0, 1.0);
    format!(
        "<svg class=\"whisker\" viewBox=\"0 0 120 16\" aria-hidden=\"true\"><path class=\"grid\" d=\"M4 8H116\"/>\
         <path class=\"fair\" d=\"M{0:.1} 2V14\"/><path class=\"range\" d=\"M{1:.1} 8H{2:.1}\"/>\
         <circle class=\"dot\" cx=\"{3:.1}\" cy=\"8\" r=\"3.5\"/></svg>",
        at(fair),
        at(low),
        at(high),
        at(value)
    )
}

#[cfg(test)]
mod tests {
    use crate::measures::plots::{histogram, prospects, ticks};
    use crate::measures::tally::Bar;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks((0.0, 1.0), 5), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks((3.0, 47.0), 5), [10.0, 20.0, 30.0, 40.0]);
        assert!(ticks((5.0, 5.0), 5).len() <= 2);
    }

    #[test]
    fn plots_of_little_are_sound() {
        let one = histogram(&[Bar { from: 7, to: 7, games: 3 }]);
        assert!(one.contains("7 turns: 3 games") && !one.contains("NaN") && !one.contains("inf"), "{one}");
        assert_eq!((histogram(&[]), prospects(&[vec![0.5]], &[])), (String::new(), String::new()));
        let names = ["<White>".to_string(), "Black".to_string()];
        assert!(prospects(&[vec![0.5, 1.0]], &names).contains("&lt;White&gt; wins"));
    }
}
