//! The table of codes. `tests/tidy.rs` holds it against part 12 of the specification.

use super::Severity;

macro_rules! codes {
    ($($variant:ident $text:literal $severity:ident $meaning:literal;)*) => {
        /// A stable kebab-case name for a kind of fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the specification.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// The name that messages, cases and tests use.
            pub fn text(self) -> &'static str {
                match self {
                    $(Code::$variant => $text,)*
                }
            }

            pub fn severity(self) -> Severity {
                match self {
                    $(Code::$variant => Severity::$severity,)*
                }
            }

            /// One sentence for the specification's table.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Code::$variant => $meaning,)*
                }
            }
        }
    };
}

codes! {
    // reading
    Syntax              "syntax"                Error   "the text is not of the grammar; the message names what was expected";
    ReservedWord        "reserved-word"         Error   "a word of the language stands where a name is wanted";
    TooDeep             "too-deep"              Error   "brackets are nested deeper than 64";
    TooLarge            "too-large"             Error   "a file is larger than 1 MiB, or a line longer than 64 KiB";
    NumberTooLarge      "number-too-large"      Error   "a number does not fit in 64 bits";
    NotUtf8             "not-utf8"              Error   "a file is not UTF-8 text";
    CannotRead          "cannot-read"           Error   "a file cannot be read";
    CannotWrite         "cannot-write"          Error   "a file cannot be written";
    NotFormatted        "not-formatted"         Error   "`fmt --check` found a file that `fmt` would change";
    // names and types
    UnknownName         "unknown-name"          Error   "a name that nothing declares";
    DuplicateName       "duplicate-name"        Error   "the same name is declared twice in one place";
    WrongKind           "wrong-kind"            Error   "a name of one kind of thing stands where another is wanted";
    TypeMismatch        "type-mismatch"         Error   "a value of one type stands where another is wanted";
    NotConstant         "not-constant"          Error   "a value must be known when the rulebook is loaded";
    OutOfRange          "out-of-range"          Error   "a number lies outside what is allowed there";
    MisplacedDeclaration "misplaced-declaration" Error  "a declaration stands where its kind is not allowed";
    MissingHeader       "missing-header"        Error   "a declaration stands before any rulebook, library, house, amendment or interface";
    UseCycle            "use-cycle"             Error   "libraries use one another in a circle";
    NotYet              "not-yet"               Warning "the construct is specified and reserved, and this version does not check or run it";
    // citations
    Uncited             "uncited"               Warning "an element of a book's rulebook cites no statement and is not marked inferred";
    UnknownStatement    "unknown-statement"     Error   "a citation of a statement that is not in the inventory";
    ForeignStatement    "foreign-statement"     Warning "a citation of another book than the one that the rulebook follows";
    // options, houses, layers
    UnknownBranch       "unknown-branch"        Error   "an option has no such branch";
    UnusedBranch        "unused-branch"         Warning "nothing in the rulebook depends on a branch of an option";
    UnusedParameter     "unused-parameter"      Warning "nothing in the rulebook depends on a parameter";
    Overlap             "overlap"               Error   "two elements answer the same thing and neither gives way";
    DanglingReplace     "dangling-replace"      Error   "a `replace`, `replaces` or `drop` that meets nothing";
    WrongBase           "wrong-base"            Error   "an amendment or a house is laid on a rulebook that it does not fit";
    // rankings
    UnorderedClasses    "unordered-classes"     Error   "no path of `beats` edges orders two classes in use";
    CyclicClasses       "cyclic-classes"        Error   "a class beats itself by way of others";
    SelfEdge            "self-edge"             Error   "a class, or a rule, stands above itself";
    RaggedKeys          "ragged-keys"           Error   "hands of one class have tie keys of different shape";
    NoRunInClass        "no-run-in-class"       Error   "`top of run` in a class that asks for no run";
    NeverApplies        "never-applies"         Warning "a class, a rule or a reading that no hand and no position can meet";
    MissingTies         "missing-ties"          Warning "hands of a class differ in value and its keys leave them level";
    SlowRanking         "slow-ranking"          Warning "the ranking cannot be compiled to the fast table; answers are the same, slower";
    NoClass             "no-class"              Warning "a hand that no class of the ranking fits";
    NoRanking           "no-ranking"            Error   "the rulebook has no ranking, or none of that name";
    // tables
    StopInAction        "stop-in-action"        Error   "an offer, a duty or a pause in a script that never stops";
    Runaway             "runaway"               Error   "a `repeat` that nothing stops, or play that goes on and on: nobody is waited for inside, and there is no bound";
    NeverReached        "never-reached"         Error   "a statement behind the end of what it stands in";
    NeverOpen           "never-open"            Error   "an `end` or a `void` of a procedure that is not open there";
    CyclicRules         "cyclic-rules"          Error   "a rule gives way to itself by way of others";
    MayOverlap          "may-overlap"           Warning "two rules that may answer the same thing together, and neither gives way";
    Unanswered          "unanswered"            Warning "a question or an event that no rule answers";
    UnreadBreach        "unread-breach"         Warning "a breach of which nothing comes: no rule, right or query looks for it";
    UnseenGuard         "unseen-guard"          Warning "an offer that depends on pieces which its seat cannot see";
    // interfaces
    UnmappedName        "unmapped-name"         Error   "a mapping names nothing of the interface, or nothing of the rulebook";
    // hands and cards
    UnreadableCard      "unreadable-card"       Error   "a written card is no card of the pack's kind";
    NotInPack           "not-in-pack"           Error   "a card that the pack in use does not hold";
    DuplicateCard       "duplicate-card"        Error   "the same card twice";
    WrongSize           "wrong-size"            Error   "a hand of a size that the ranking does not compare";
    NotNamed            "not-named"             Error   "a wild card must be named by its holder, and is not";
    // tables and records
    NoTable             "no-table"              Error   "the rulebook says nothing of a table, so nothing can be played";
    BadRecord           "bad-record"            Error   "a line of a record that cannot hold: seats, roles, cards, numbers of items";
    UnusedOrder         "unused-order"          Warning "a record gives an order of the pieces for which nothing was arranged, or pieces that nobody gets";
    NeedsAMove          "needs-a-move"          Error   "somebody must choose before an item of a record is possible";
    IrregularAct        "irregular-act"         Error   "an act is possible and not regular, and the record does not mark it as a breach";
    NowherePossible     "nowhere-possible"      Error   "an item of a record is possible at no stop of the play";
    NeedsRuling         "needs-ruling"          Error   "play needs the answer of a question that has none; the record may agree on one";
    UnknownFact         "unknown-fact"          Error   "play hangs on something that the record does not say";
    ImpossibleDeed      "impossible-deed"       Error   "a rulebook asks for what cannot be: a payment that is not there, the only one of several";
    // cases
    BadCase             "bad-case"              Error   "a case file that is not of the schema";
    DuplicateCase       "duplicate-case"        Error   "two cases have one id";
    NoCases             "no-cases"              Error   "no case was selected";
    UnusedJudgement     "unused-judgement"      Warning "a mutant is judged to make no difference, and is killed, no rulebook, or not there";
    // the command line
    Usage               "usage"                 Error   "the command cannot be understood";
}
