//! Types: what fits where, and how they are called in messages. Clauses 3.1 to 3.9.

use super::super::constant;
use super::super::kinds::Kinds;
use super::super::pieces::PieceKind;
use super::program::Type;

impl Type {
    /// The type of what was complained about already: it fits everywhere and everything fits it, so that one mistake is told once.
    pub(in crate::rules) const BROKEN: Type = Type::Entry(Vec::new());

    pub(in crate::rules) fn is_broken(&self) -> bool {
        *self == Type::BROKEN
    }

    pub fn maybe(self) -> Type {
        if matches!(self, Type::Maybe(_) | Type::None) || self.is_broken() { self } else { Type::Maybe(Box::new(self)) }
    }

    pub(in crate::rules) fn set(self) -> Type {
        Type::Set(Box::new(self))
    }

    pub(in crate::rules) fn list(self) -> Type {
        Type::List(Box::new(self))
    }

    /// `maybe T` without the `maybe`.
    pub fn sure(&self) -> &Type {
        if let Type::Maybe(of) = self { of } else { self }
    }

    /// What a set or a list holds, or the type itself.
    pub fn member_or_self(&self) -> &Type {
        self.member().unwrap_or(self)
    }

    /// What a set or a list holds.
    pub(in crate::rules) fn member(&self) -> Option<&Type> {
        if let Type::Set(of) | Type::List(of) = self.sure() { Some(of) } else { None }
    }

    /// Whether such a value can stand where `wanted` is wanted. `maybe T` may stand for T: a `none` there is found when the table is played.
    pub(in crate::rules) fn fits(&self, wanted: &Type) -> bool {
        if self.is_broken() || wanted.is_broken() {
            return true;
        }
        match (self, wanted) {
            (Type::None, Type::Maybe(_) | Type::None | Type::Entry(_)) => true,
            (Type::Maybe(of), _) => of.fits(wanted),
            (_, Type::Maybe(of)) => self.fits(of),
            (Type::Nothing, Type::Set(_) | Type::List(_) | Type::Nothing) => true,
            (Type::Set(of) | Type::List(of), Type::Set(wanted)) | (Type::List(of), Type::List(wanted)) => of.fits(wanted),
            (Type::Entry(names), Type::Entry(wanted)) => names.iter().all(|name| wanted.contains(name)),
            _ => self == wanted,
        }
    }

    /// The narrowest type that both fit, as for the two values of an `if`.
    pub(in crate::rules) fn join(&self, other: &Type) -> Option<Type> {
        match (self, other) {
            (Type::None, other) | (other, Type::None) => Some(other.clone().maybe()),
            (Type::Maybe(of), other) | (other, Type::Maybe(of)) => of.join(other.sure()).map(Type::maybe),
            (Type::Entry(names), Type::Entry(more)) if !self.is_broken() && !other.is_broken() => {
                Some(Type::Entry(names.iter().chain(more.iter().filter(|name| !names.contains(name))).copied().collect()))
            }
            _ if self.is_broken() => Some(other.clone()),
            _ if self.fits(other) => Some(other.clone()),
            _ if other.fits(self) => Some(self.clone()),
            _ => None,
        }
    }

    /// The type of a constant.
    pub(in crate::rules) fn of_constant(found: constant::Type) -> Type {
        match found {
            constant::Type::Number => Type::Number,
            constant::Type::Truth => Type::Truth,
            constant::Type::Member(kind) => Type::Member(kind),
            constant::Type::Set(kind) => Type::Member(kind).set(),
            constant::Type::EmptySet => Type::Nothing,
        }
    }

    /// `a seat`, as messages say it.
    pub(in crate::rules) fn describe(&self, kinds: &Kinds, pieces: &[PieceKind]) -> String {
        let many = |kind: &Type| {
            let words = kind.describe(kinds, pieces);
            match (kind, words.strip_prefix("a ")) {
                (Type::Number | Type::Seat, Some(word)) => format!("{word}s"),
                (Type::Member(_), Some(word)) => {
                    word.replacen("value", "values", 1).replacen("class of", "classes of", 1).replacen("heading", "headings", 1)
                }
                (Type::Piece(_), Some(word)) => word.replacen("piece", "pieces", 1),
                (Type::Set(_) | Type::Maybe(_) | Type::List(_), Some(word)) => word.replacen("set", "sets", 1).replacen("list", "lists", 1),
                (_, Some(word)) => word.to_owned(),
                (_, None) => words,
            }
        };
        match self {
            Type::Number => "a number".to_owned(),
            Type::Truth => "`yes` or `no`".to_owned(),
            Type::Member(kind) => constant::Type::Member(*kind).describe(&kinds.kinds),
            Type::Seat => "a seat".to_owned(),
            Type::Piece(kind) => match pieces.get(*kind) {
                Some(piece) => format!("a piece `{}`", piece.name),
                None => "a piece".to_owned(),
            },
            Type::Maybe(of) => format!("{} or none", of.describe(kinds, pieces)),
            Type::Set(of) => format!("a set of {}", many(of)),
            Type::List(of) => format!("a list of {}", many(of)),
            Type::None => "`none`".to_owned(),
            Type::Nothing => "nothing at all".to_owned(),
            Type::Entry(_) => "an entry of the log".to_owned(),
            Type::Entered(_) => "an entry of a tally".to_owned(),
            Type::Account => "an account".to_owned(),
            Type::Ranking { of_one: true, .. } => "a ranking of single pieces".to_owned(),
            Type::Ranking { of_one: false, .. } => "a ranking of hands".to_owned(),
            Type::Text => "a text".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_where() {
        assert!(Type::Seat.fits(&Type::Seat.maybe()));
        assert!(Type::None.fits(&Type::Seat.maybe()));
        assert!(!Type::None.fits(&Type::Seat));
        assert!(Type::Piece(0).list().fits(&Type::Piece(0).set()));
        assert!(!Type::Piece(0).set().fits(&Type::Piece(0).list()));
        assert!(!Type::Seat.fits(&Type::Number));
    }

    #[test]
    fn two_ways_of_an_if_have_one_type() {
        assert_eq!(Type::None.join(&Type::Seat), Some(Type::Seat.maybe()));
        assert_eq!(Type::Nothing.join(&Type::Seat.set()), Some(Type::Seat.set()));
        assert_eq!(Type::Seat.join(&Type::Number), None);
    }
}
