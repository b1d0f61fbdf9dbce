//! Files of settings: a text goes in; its sections come out, and the settings of one with all that it inherits.

/// Most bytes of a file.
pub const MOST_BYTES: usize = 4 << 20;
/// Most sections that inherit from each other.
const MOST_PARENTS: usize = 32;

/// A section and its settings, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    pub parent: Option<String>,
    pub settings: Vec<(String, String)>,
    /// Where it begins, from 1.
    pub line: usize,
}

/// The sections of a text.
///
/// # Errors
/// The first line that is neither a section, nor a setting, nor a comment.
pub fn sections(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    for (before, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(head) = line.strip_prefix('[') {
            let head = head.split(']').next().unwrap_or_default();
            let (name, parent) = head.split_once(':').map_or((head, None), |(name, parent)| (name, Some(parent)));
            let (name, parent) = (name.trim().to_string(), parent.map(|parent| parent.trim().to_string()));
            sections.push(Section { name, parent, settings: Vec::new(), line: before + 1 });
            continue;
        }
        let wrong = || format!("line {}: `{}` is no setting, `name = value`", before + 1, shortened(line));
        let (key, value) = line.split_once('=').ok_or_else(wrong)?;
        let section = sections.last_mut().ok_or_else(|| format!("line {}: no section stands before it", before + 1))?;
        section.settings.push((key.trim().to_string(), value.trim().to_string()));
    }
    Ok(sections)
}

/// A line that is not too long to be told.
pub fn shortened(line: &str) -> String {
    let mut short: String = line.chars().take(60).collect();
    if short.len() < line.len() {
        short.push_str("...");
    }
    short
}

/// The settings of a section, those that it inherits first.
///
/// # Errors
/// A section that is not there, or that inherits in a circle.
pub fn inherited(file: &[Section], known: &[Section], name: &str) -> Result<Vec<(String, String)>, String> {
    let mut chain: Vec<&Section> = Vec::new();
    let mut wanted = Some((name.to_string(), file.len()));
    while let Some((name, before)) = wanted {
        // A section may have the name of one that is known; it then inherits from that one.
        let own = file.get(..before).unwrap_or(file).iter().rposition(|section| section.name == name);
        let section = match own {
            Some(at) => file.get(at),
            None => known.iter().find(|section| section.name == name),
        };
        let section = section.ok_or_else(|| match chain.last() {
            None => format!("the file has no variant `{name}`"),
            Some(_) => format!("it inherits from `{name}`, which is neither in the file before it nor known here"),
        })?;
        chain.push(section);
        if chain.len() > MOST_PARENTS {
            return Err(format!("more than {MOST_PARENTS} variants inherit from each other"));
        }
        wanted = section.parent.clone().map(|parent| (parent, own.unwrap_or(0)));
    }
    Ok(chain.iter().rev().flat_map(|section| section.settings.iter().cloned()).collect())
}
