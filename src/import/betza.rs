//! Betza notation: how a piece moves goes in; the ways of a kind, in the language, come out.

/// What the ways of a piece depend on.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// The name of a define: where the piece may go.
    pub region: Option<String>,
    /// The name of a define: where it may jump from at first.
    pub first: Option<String>,
    /// The kinds that may be taken in passing, if it may take so.
    pub jumpers: Option<String>,
    /// Kinds that it neither leaps nor takes.
    pub shunned: Option<String>,
}

/// The ways of a piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    pub lines: Vec<String>,
    /// It has ways that begin with a first jump.
    pub jumps: bool,
    /// The least that every way leads forward, in ranks; 0: some way leads elsewhere.
    pub forward: u8,
}

/// What stands before an atom.
#[derive(Clone, Debug, Default)]
struct Modifiers {
    directions: String,
    moves: bool,
    takes: bool,
    first: bool,
    passing: bool,
    lame: bool,
    hops: bool,
    grasshops: bool,
}

/// Most characters of a piece's notation.
const MOST: usize = 200;

/// Reads a notation.
///
/// # Errors
/// The part that has no words in the language.
pub fn ways(notation: &str, around: &Around) -> Result<Ways, String> {
    let mut ways = Ways { lines: Vec::new(), jumps: false, forward: u8::MAX };
    let mut rest = notation.trim();
    if rest.len() > MOST {
        return Err(String::from("a piece of more than 200 characters"));
    }
    while !rest.is_empty() {
        let mut modifiers = Modifiers::default();
        while let Some(c) = rest.chars().next().filter(char::is_ascii_lowercase) {
            match c {
                'm' => modifiers.moves = true,
                'c' => modifiers.takes = true,
                'i' => modifiers.first = true,
                'e' => modifiers.passing = true,
                'n' => modifiers.lame = true,
                'p' => modifiers.hops = true,
                'g' => modifiers.grasshops = true,
                'f' | 'b' | 'l' | 'r' | 'v' | 's' | 'h' => modifiers.directions.push(c),
                _ => return Err(format!("`{c}` in `{notation}`")),
            }
            rest = rest.get(1..).unwrap_or_default();
        }
        if !modifiers.moves && !modifiers.takes {
            (modifiers.moves, modifiers.takes) = (true, true);
        }
        let Some(atom) = rest.chars().next().filter(char::is_ascii_uppercase) else {
            return Err(format!("`{notation}`"));
        };
        rest = rest.get(1..).unwrap_or_default();
        let doubled = rest.starts_with(atom);
        if doubled {
            rest = rest.get(1..).unwrap_or_default();
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let range: Option<u32> = rest.get(..digits).and_then(|number| number.parse().ok());
        rest = rest.get(digits..).unwrap_or_default();
        let far = match (doubled, range) {
            (_, Some(0)) => return Err(format!("a range of 0 in `{notation}`")),
            (true, None) => Some(0),
            (_, range) => range,
        };
        for (simple, far) in atoms(atom, far) {
            put(&mut ways, &modifiers, simple, far, around).map_err(|why| format!("{why} in `{notation}`"))?;
        }
    }
    if ways.lines.is_empty() || ways.forward == u8::MAX {
        ways.forward = 0;
    }
    Ok(ways)
}

/// An atom as simple ones, each with how far it rides: `None` a leap, 0 as far as it can.
fn atoms(atom: char, far: Option<u32>) -> Vec<(char, Option<u32>)> {
    match atom {
        'K' => vec![('W', far), ('F', far)],
        'R' => vec![('W', far.or(Some(0)))],
        'B' => vec![('F', far.or(Some(0)))],
        'Q' => vec![('W', far.or(Some(0))), ('F', far.or(Some(0)))],
        other => vec![(other, far)],
    }
}

/// The geometry of a leap: the first steps, whether it goes straight or aslant, and the steps behind a turn.
fn geometry(atom: char) -> Option<(u8, bool, u8)> {
    Some(match atom {
        'W' => (1, true, 0),
        'F' => (1, false, 0),
        'D' => (2, true, 0),
        'A' => (2, false, 0),
        'H' => (3, true, 0),
        'G' => (3, false, 0),
        'N' => (1, true, 1),
        'C' | 'L' => (2, true, 1),
        'Z' | 'J' => (1, true, 2),
        _ => return None,
    })
}

/// Directions of the first leg and of the second, and how many ranks they lead forward at least; 0 if not forward.
type Heading = (String, String, u8);

/// The headings that modifiers mean.
fn headings(directions: &str, (steps, straight, behind): (u8, bool, u8)) -> Result<Vec<Heading>, String> {
    let plain = |words: &str, forward: u8| (words.to_string(), String::from("outward"), forward);
    let odd = || format!("the directions `{directions}`");
    if behind > 0 {
        let (near, far) = (behind, steps + behind);
        let narrow = ("forward", "outward", far);
        let wide = ("sideways", "outward and ahead", near);
        let chosen: &[(&str, &str, u8)] = match directions {
            "" => &[("orthogonal", "outward", 0)],
            "f" | "ff" => &[narrow],
            "fs" => &[wide],
            "fh" => &[narrow, wide],
            "b" | "bb" => &[("backward", "outward", 0)],
            "bs" => &[("sideways", "outward and behind", 0)],
            "bh" => &[("backward", "outward", 0), ("sideways", "outward and behind", 0)],
            "ffs" => &[narrow, wide],
            _ => return Err(odd()),
        };
        return Ok(chosen.iter().map(|(first, second, far)| (first.to_string(), second.to_string(), *far)).collect());
    }
    if directions.is_empty() {
        return Ok(vec![plain(if straight { "orthogonal" } else { "diagonal" }, 0)]);
    }
    let mut found = Vec::new();
    if straight {
        if directions.contains('h') {
            return Err(odd());
        }
        let both = directions.contains('s');
        let upright = directions.contains('v');
        if upright || directions.contains('f') {
            found.push(plain("forward", steps));
        }
        if upright || directions.contains('b') {
            found.push(plain("backward", 0));
        }
        if both {
            found.push(plain("sideways", 0));
        }
        // A quarter-turn is two of the eight directions.
        if !both && directions.contains('r') {
            found.push(plain("(forward + 2)", 0));
        }
        if !both && directions.contains('l') {
            found.push(plain("(forward - 2)", 0));
        }
        return Ok(found);
    }
    match directions {
        "f" => found.push(plain("ahead diagonal", steps)),
        "b" => found.push(plain("behind diagonal", 0)),
        "fb" | "bf" | "v" | "s" | "lr" => found.push(plain("diagonal", 0)),
        // One of the four: forward and to the right lies clockwise from forward.
        "fr" | "rf" => found.push(plain("(forward + 1)", steps)),
        "fl" | "lf" => found.push(plain("(forward - 1)", steps)),
        "br" | "rb" => found.push(plain("(backward - 1)", 0)),
        "bl" | "lb" => found.push(plain("(backward + 1)", 0)),
        "lfrb" => {
            found.push(plain("(forward - 1)", steps));
            found.push(plain("(backward - 1)", 0));
        }
        "rflb" => {
            found.push(plain("(forward + 1)", steps));
            found.push(plain("(backward + 1)", 0));
        }
        _ => return Err(odd()),
    }
    Ok(found)
}

/// Adds the ways of one atom.
fn put(ways: &mut Ways, modifiers: &Modifiers, atom: char, far: Option<u32>, around: &Around) -> Result<(), String> {
    let leap = geometry(atom).ok_or_else(|| format!("the atom `{atom}`"))?;
    let (steps, _, behind) = leap;
    if (behind > 0 || steps > 1) && far.is_some() {
        return Err(format!("a rider `{atom}{atom}`"));
    }
    if (modifiers.hops || modifiers.grasshops) && (far != Some(0) || modifiers.lame) {
        return Err(String::from("a hopper of a range"));
    }
    if modifiers.lame && (steps + behind < 2 || far.is_some()) {
        return Err(format!("a lame `{atom}`"));
    }
    let landing = landing(modifiers, around);
    for (first, second, forward) in headings(&modifiers.directions, leap)? {
        let mut paths = Vec::new();
        if modifiers.hops || modifiers.grasshops {
            let screen = match &around.shunned {
                Some(shunned) => format!("(occupied and not {shunned})"),
                None => String::from("occupied"),
            };
            let behind = if modifiers.hops { "empty* " } else { "" };
            paths.push(format!("^ empty* {screen} {behind}to {landing}"));
        } else {
            paths.push(path(leap, far, modifiers.lame, &second, &landing));
        }
        let guard = modifiers.first.then(|| around.first.clone().unwrap_or_else(|| String::from("none")));
        for path in paths {
            let line = format!("move {first}: {path}");
            ways.lines.push(match &guard {
                Some(region) => format!("if here in {region} {{ {line} }}"),
                None => line,
            });
        }
        if let Some(jumpers) = around.jumpers.as_ref().filter(|_| modifiers.passing) {
            let target = with_region("skipped and empty", around);
            ways.lines.push(format!("move {first}: ^ to {target}, backward: empty* <{jumpers}>"));
        }
        ways.jumps |= modifiers.first;
        ways.forward = ways.forward.min(forward);
    }
    Ok(())
}

/// The cells of a path that does not hop.
fn path((steps, _, behind): (u8, bool, u8), far: Option<u32>, lame: bool, second: &str, landing: &str) -> String {
    let over = if lame { "empty" } else { "any" };
    let passed = |count: u8| match count {
        0 => String::new(),
        1 => format!("{over} "),
        several => format!("{over}{{{several}}} "),
    };
    match (far, behind) {
        (Some(0), _) => format!("^ empty* to {landing}"),
        (Some(1), _) | (None, 0) => format!("^ {}to {landing}", passed(steps - 1)),
        (Some(range), _) => format!("^ empty{{0..{}}} to {landing}", range - 1),
        (None, 1) => format!("^ {}, {second}: to {landing}", passed(steps).trim_end()),
        (None, _) => format!("^ {}, {second}: {}to {landing}", passed(steps).trim_end(), passed(behind - 1)),
    }
}

fn landing(modifiers: &Modifiers, around: &Around) -> String {
    let enemy = match &around.shunned {
        Some(shunned) => format!("enemy and not {shunned}"),
        None => String::from("enemy"),
    };
    let within = |set: &str| match &around.region {
        Some(region) => format!("{set} and {region}"),
        None => set.to_string(),
    };
    let enemy = format!("<{}>", within(&enemy));
    match (modifiers.moves, modifiers.takes) {
        (true, false) if around.region.is_none() => String::from("empty"),
        (true, false) => format!("({})", within("empty")),
        (false, _) => enemy,
        _ if around.shunned.is_none() && around.region.is_none() => String::from("landing"),
        _ => format!("({} or {enemy})", within("empty")),
    }
}

fn with_region(set: &str, around: &Around) -> String {
    match &around.region {
        Some(region) => format!("({set} and {region})"),
        None => format!("({set})"),
    }
}
