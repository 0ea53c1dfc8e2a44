//! Lays words out on lines: a list of operations, of which some may become line breaks.
//!
//! The printer says where a line may break; this decides where it does. A comment always ends its line, so it breaks every group around it.

/// Lines are broken where they would be longer, if they can be.
pub const WIDTH: usize = 140;
/// Citations begin in this column where what stands before them leaves room.
const TAGS: usize = 69;
/// A group no wider than this goes to the next line as a whole rather than being broken.
const SHORT: usize = 60;

/// One step of writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// Without line breaks.
    Text(String),
    /// A space, or a line break if the group is broken.
    Line,
    /// A space, or a line break if what follows up to the next possible break does not fit.
    Fill,
    /// Spaces up to the column of citations (two if it is passed), or a line break if what follows does not fit then.
    Tab,
    /// A line break.
    Hard,
    /// An empty line.
    Blank,
    /// To the end of the line; on a line of its own or behind something.
    Comment {
        text: String,
        own_line: bool,
    },
    /// What stands up to the matching `Close` is on one line if it fits. If it is `kept` together and short, it rather goes to the next line as a
    /// whole; braces are not, for once they are broken they stay so, and nothing before them may depend on it.
    Open {
        kept: bool,
    },
    Close,
    /// Lines that begin from here on are indented further.
    Indent(usize),
    Dedent(usize),
}

/// Writes it all; ends with a line break unless nothing was written.
pub(super) fn written(ops: &[Op]) -> String {
    written_within(ops, WIDTH)
}

/// The same for lines of another width.
pub(super) fn written_within(ops: &[Op], width: usize) -> String {
    let mut writer =
        Writer { ops, width, found: groups(ops), out: String::new(), column: 0, indent: 0, line_indent: 0, must_break: false, groups: Vec::new() };
    for (at, op) in ops.iter().enumerate() {
        writer.op(at, op);
    }
    writer.break_line();
    let text = writer.out.trim_matches('\n');
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

/// A group that an `Open` begins.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The place of its `Close`.
    close: usize,
    /// Its width on one line; nothing if it cannot stand on one.
    width: Option<usize>,
}

/// For every `Open` its group, and nothing for other operations.
fn groups(ops: &[Op]) -> Vec<Option<Group>> {
    let mut groups = vec![None; ops.len()];
    // Every open group: where it was opened, how wide it is so far, whether it must be broken.
    let mut open: Vec<(usize, usize, bool)> = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        match op {
            Op::Open { .. } => open.push((at, 0, false)),
            Op::Close => {
                let Some((start, width, broken)) = open.pop() else { continue };
                if let Some(slot) = groups.get_mut(start) {
                    *slot = Some(Group { close: at, width: (!broken).then_some(width) });
                }
                if let Some((_, outer, outer_broken)) = open.last_mut() {
                    *outer += width;
                    *outer_broken |= broken;
                }
            }
            Op::Hard | Op::Blank | Op::Comment { .. } => {
                if let Some((_, _, broken)) = open.last_mut() {
                    *broken = true;
                }
            }
            Op::Text(_) | Op::Line | Op::Fill | Op::Tab | Op::Indent(_) | Op::Dedent(_) => {
                if let Some((_, width, _)) = open.last_mut() {
                    *width += flat(op);
                }
            }
        }
    }
    groups
}

/// How wide an operation is when nothing breaks.
fn flat(op: &Op) -> usize {
    match op {
        Op::Text(text) => text.chars().count(),
        Op::Line | Op::Fill | Op::Tab => 1,
        Op::Hard | Op::Blank | Op::Comment { .. } | Op::Open { .. } | Op::Close | Op::Indent(_) | Op::Dedent(_) => 0,
    }
}

struct Writer<'o> {
    ops: &'o [Op],
    width: usize,
    found: Vec<Option<Group>>,
    out: String,
    column: usize,
    indent: usize,
    /// The indent of the line that has begun: what is indented later does not move it.
    line_indent: usize,
    /// A comment was written: nothing may follow it on its line.
    must_break: bool,
    /// Of every open group whether it is broken.
    groups: Vec<bool>,
}

impl Writer<'_> {
    fn op(&mut self, at: usize, op: &Op) {
        match op {
            Op::Text(text) => self.text(text),
            Op::Line if self.is_broken() => self.break_line(),
            Op::Line => self.space(),
            Op::Fill if self.is_broken() && self.column + 1 + self.ahead(at + 1) > self.width => self.break_line(),
            Op::Fill => self.space(),
            Op::Tab if !self.is_broken() => self.space(),
            Op::Tab => self.tab(self.ahead(at + 1)),
            Op::Hard => self.break_line(),
            Op::Blank => {
                self.break_line();
                if !self.out.is_empty() {
                    self.out.push('\n');
                }
            }
            Op::Comment { text, own_line } => self.comment(text, *own_line),
            Op::Open { .. } => {
                let group = self.found.get(at).copied().flatten();
                let width = group.and_then(|group| Some(self.column + group.width? + self.ahead(group.close + 1)));
                let fits = width.is_some_and(|width| width <= self.width);
                // Inside a group on one line everything is on that line.
                let broken = self.is_broken() && !fits;
                self.groups.push(broken);
            }
            Op::Close => drop(self.groups.pop()),
            Op::Indent(by) => self.indent += by,
            Op::Dedent(by) => self.indent = self.indent.saturating_sub(*by),
        }
    }

    fn is_broken(&self) -> bool {
        self.groups.last().copied().unwrap_or(true)
    }

    /// The width of the text from `at` on up to the next place where a line may break. A short group is not broken, so it counts as text.
    fn ahead(&self, mut at: usize) -> usize {
        let mut width = 0;
        while let Some(op) = self.ops.get(at) {
            match op {
                Op::Line | Op::Fill | Op::Tab | Op::Hard | Op::Blank | Op::Comment { .. } => break,
                Op::Open { kept } => {
                    if *kept
                        && let Some(Group { close, width: Some(inner) }) = self.found.get(at).copied().flatten()
                        && inner <= SHORT
                    {
                        width += inner;
                        at = close;
                    }
                }
                Op::Text(_) | Op::Close | Op::Indent(_) | Op::Dedent(_) => width += flat(op),
            }
            at += 1;
        }
        width
    }

    fn text(&mut self, text: &str) {
        if self.must_break {
            self.break_line();
        }
        if self.column == 0 {
            self.out.extend(std::iter::repeat_n(' ', self.line_indent));
            self.column = self.line_indent;
        }
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn space(&mut self) {
        if self.column > 0 && !self.must_break {
            self.out.push(' ');
            self.column += 1;
        }
    }

    fn tab(&mut self, ahead: usize) {
        let column = TAGS.max(self.column + 2);
        if column + ahead > WIDTH || self.column == 0 || self.must_break {
            self.break_line();
        } else {
            self.out.extend(std::iter::repeat_n(' ', column - self.column));
            self.column = column;
        }
    }

    /// Begins a new line unless one has just begun.
    fn break_line(&mut self) {
        self.must_break = false;
        self.line_indent = self.indent;
        if self.column > 0 {
            self.out.truncate(self.out.trim_end_matches(' ').len());
            self.out.push('\n');
            self.column = 0;
        }
    }

    fn comment(&mut self, text: &str, own_line: bool) {
        if own_line || self.must_break {
            self.break_line();
        }
        if self.column > 0 {
            self.out.truncate(self.out.trim_end_matches(' ').len());
            self.out.push_str("  ");
        }
        self.text(text);
        self.must_break = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Op {
        Op::Text(text.to_owned())
    }

    #[test]
    fn groups_break_where_they_do_not_fit_or_hold_a_comment() {
        let group = |inner: Op| {
            vec![
                text("a"),
                Op::Open { kept: true },
                Op::Indent(2),
                Op::Line,
                inner,
                Op::Line,
                text("c"),
                Op::Dedent(2),
                Op::Line,
                Op::Close,
                text("z"),
            ]
        };
        assert_eq!(written(&group(text("b"))), "a b c z\n");
        let long = "b".repeat(WIDTH - 5);
        assert_eq!(written(&group(text(&long))), format!("a\n  {long}\n  c\nz\n"));
        assert_eq!(written(&group(text(&long[1..]))), format!("a {} c z\n", &long[1..]));
        let comment = Op::Comment { text: "# d".to_owned(), own_line: false };
        assert_eq!(written(&group(comment)), "a\n  # d\n  c\nz\n");
    }

    #[test]
    fn nothing_follows_a_comment_on_its_line() {
        let comment = |own_line| Op::Comment { text: "#".to_owned(), own_line };
        assert_eq!(written(&[text("a"), comment(false), text(";"), comment(true), text("b")]), "a  #\n;\n#\nb\n");
        assert_eq!(written(&[comment(false), comment(false), Op::Blank, Op::Blank, text("x")]), "#\n#\n\n\nx\n");
    }
}
