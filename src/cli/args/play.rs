//! Arguments of `play`: who plays which seat, and how the game is shown.

use std::ffi::OsString;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, CommandFactory};

use crate::cli::Failure;
use crate::cli::args::{Cli, GameArgs, parse_megabytes};
use crate::cli::opponent::{Budget, Spec};
use crate::game::Game;

/// A seat: who plays it, and perhaps the name of the game's player that it is.
#[derive(Clone, Debug)]
pub struct Seat {
    pub name: Option<String>,
    pub spec: Spec,
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Seat, String> {
        // A budget may have such a sign, too: `alphabeta:depth=4`.
        match text.split_once('=').filter(|(name, _)| !name.contains(':')) {
            Some((name, spec)) => Ok(Seat { name: Some(name.to_string()), spec: spec.parse()? }),
            None => Ok(Seat { name: None, spec: text.parse()? }),
        }
    }
}

/// The arguments with `--white mcts:1s` of `play` written as `--seat white=mcts:1s`. Names of players are the game's own, so the
/// command line cannot list them. What is followed by no player stays as it is: an option misspelt.
pub fn with_players(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Vec<OsString> {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    if arguments.get(1).is_none_or(|command| command != "play") {
        return arguments;
    }
    let command = Cli::command();
    let options = command.find_subcommand("play").into_iter().flat_map(|play| play.get_arguments());
    let known: Vec<&str> = options.filter_map(|option| option.get_long()).collect();
    let (mut written, mut left) = (Vec::with_capacity(arguments.len()), arguments.into_iter().peekable());
    while let Some(argument) = left.next() {
        let name = argument.to_str().and_then(|text| text.strip_prefix("--")).filter(|name| !name.is_empty());
        let Some(name) = name else {
            written.push(argument);
            continue;
        };
        let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        let next = value.or_else(|| left.peek().and_then(|next| next.to_str()));
        match next.filter(|next| !known.contains(&name) && Spec::is_meant_by(next)) {
            Some(spec) => {
                written.extend(["--seat".into(), format!("{name}={spec}").into()]);
                if value.is_none() {
                    left.next();
                }
            }
            None => written.push(argument),
        }
    }
    written
}

#[derive(Args, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Who plays a seat, in turn order: human, random, greedy, mcts:2s, mcts:10000, alphabeta:2s,
    /// alphabeta:depth=4, best:2s. Unless said, a human has the first seat, and mcts:1s the others. A player of the game may be
    /// named: `--seat white=mcts:2s`, or `--white mcts:2s`.
    #[arg(long = "seat", value_name = "PLAYER")]
    pub seats: Vec<Seat>,
    /// The position to begin with.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Read what people type from this file, one line each; or the moves of a game: PGN, SGF or a record. `FILE#3` is its
    /// third game.
    #[arg(long, value_name = "FILE")]
    pub moves: Option<String>,
    /// Draw in ASCII alone also on a terminal, where men are stones and figures otherwise.
    #[arg(long)]
    pub ascii: bool,
    /// Print the moves and the result as data at the end. What is said and drawn before goes to stderr.
    #[arg(long)]
    pub json: bool,
    /// How long `hint` and `eval` think: a time, or playouts.
    #[arg(long, value_name = "BUDGET", default_value = "1s")]
    pub advice: Budget,
    /// Memory for all that is thought, in megabytes.
    #[arg(long, value_name = "MB", default_value = "1024", value_parser = parse_megabytes)]
    pub memory: usize,
}

impl PlayArgs {
    /// Who plays each seat: those that are named first, the others in turn order.
    ///
    /// # Errors
    /// More seats than the game has; a name that no player has; a player that cannot play it.
    pub fn specs(&self, game: &Game) -> Result<Vec<Spec>, Failure> {
        let players = game.players();
        if self.seats.len() > players.len() {
            let (name, seats, given) = (game.name(), players.len(), self.seats.len());
            return Err(Failure::usage(format!("{name} has {seats} seats, and {given} are given")));
        }
        let mut specs = vec![None; players.len()];
        for Seat { name, spec } in &self.seats {
            let Some(name) = name else { continue };
            let Some(at) = players.iter().position(|player| player.eq_ignore_ascii_case(name)) else {
                let names = players.join(", ");
                return Err(Failure::usage(format!("{} has no player `{name}`: there are {names}", game.name())));
            };
            if specs[at].replace(*spec).is_some() {
                return Err(Failure::usage(format!("the seat of {} is given twice", players[at])));
            }
        }
        let mut unnamed = self.seats.iter().filter(|seat| seat.name.is_none()).map(|seat| seat.spec);
        for spec in specs.iter_mut().filter(|spec| spec.is_none()) {
            *spec = unnamed.next();
        }
        let usual =
            |seat: usize| if seat == 0 { Spec::Human } else { Spec::Mcts(Budget::Time(Duration::from_secs(1))) };
        let specs: Vec<Spec> = specs.into_iter().enumerate().map(|(at, spec)| spec.unwrap_or(usual(at))).collect();
        match specs.iter().find_map(|spec| spec.misfit(game)) {
            Some(why) => Err(Failure::usage(why)),
            None => Ok(specs),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::args::play::*;

    fn rewritten(arguments: &str) -> String {
        let written = with_players(arguments.split(' '));
        written.iter().map(|argument| argument.to_str().expect("it is text")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn players_of_a_game_are_options() {
        for (arguments, expected) in [
            (
                "lusoria play chess --white mcts:1s --black human",
                "lusoria play chess --seat white=mcts:1s --seat black=human",
            ),
            ("lusoria play chess --black=alphabeta:depth=4", "lusoria play chess --seat black=alphabeta:depth=4"),
            ("lusoria play chess --advice 1s --whit 1s", "lusoria play chess --advice 1s --whit 1s"),
            ("lusoria play chess --white gredy", "lusoria play chess --seat white=gredy"),
            ("lusoria play chess --white", "lusoria play chess --white"),
            ("lusoria match chess --white human", "lusoria match chess --white human"),
        ] {
            assert_eq!(rewritten(arguments), expected);
        }
    }
}
