//! Tests of icons: the file of icons goes in; what is asserted is what is made of each line.

use lusoria_core::model::icons::{ICONS, Icon, IconDrawing, lines};

#[test]
fn every_line_of_the_file_is_an_icon() {
    assert_eq!(ICONS.len(), lines().count());
    assert!((3..=usize::from(u8::MAX)).contains(&ICONS.len()));
    assert_eq!(Icon::ROUND.drawing(), IconDrawing::Round);
    assert_eq!(Icon::LETTER.drawing(), IconDrawing::Letter);
    for icon in Icon::all() {
        assert_eq!(Icon::named(icon.name()), Some(icon));
    }
    assert_eq!(Icon::named("no icon"), None);
}
