//! `hoyle fmt`: a tree in its canonical layout, with the comments of the text from which it was read.
//!
//! Three laws hold: reading what was printed gives the same tree; printing that again changes nothing; no comment is lost or changes its turn.
//! The layout depends on the tree, on which comments stand between which words, on empty lines, and on whether something in braces stood on
//! one line. Printing keeps all four, which is why a second printing changes nothing.

mod comments;
mod declarations;
mod deeds;
mod expressions;
mod follow;
mod interfaces;
mod layout;
mod lists;
mod rankings;
mod statements;

use self::comments::Comments;
use self::layout::Op;
pub use self::layout::WIDTH;
use super::tree::{At, Deed, Expr, File, Name, Number, Tags, Text};
use crate::source::Span;

/// How far a line is indented that goes on with what stands on the line before.
const HANGING: usize = 4;
/// How far what stands in braces is indented.
const INSIDE: usize = 2;

/// The file in canonical layout. `text` is what it was read from: comments and empty lines are taken from there.
pub fn print(file: &File, text: &str) -> String {
    let mut printer = Printer::new(text);
    for declaration in &file.declarations {
        printer.item(declaration.span, |printer| printer.declaration(declaration));
    }
    printer.comments_before_line(text.len());
    layout::written(&printer.ops)
}

/// One expression on one line, for messages and derivations.
pub fn expression(expr: &Expr) -> String {
    let mut printer = Printer::new("");
    printer.ops.push(Op::Open { kept: false });
    printer.expr(expr);
    printer.ops.push(Op::Close);
    layout::written_within(&printer.ops, usize::MAX).trim_end().to_owned()
}

/// One deed on one line, without its tags.
pub fn deed(deed: &Deed) -> String {
    let mut printer = Printer::new("");
    printer.ops.push(Op::Open { kept: false });
    printer.deed(deed);
    printer.ops.push(Op::Close);
    layout::written_within(&printer.ops, usize::MAX).trim_end().to_owned()
}

struct Printer<'t> {
    text: &'t str,
    ops: Vec<Op>,
    comments: Comments<'t>,
    /// Nothing has been printed yet in the file or since the last `{`: no empty line is kept here.
    fresh: bool,
    /// By how much lines that go on with a declaration or statement are indented at this point.
    hung: usize,
}

impl<'t> Printer<'t> {
    fn new(text: &'t str) -> Printer<'t> {
        Printer { text, ops: Vec::new(), comments: Comments::of(text), fresh: true, hung: 0 }
    }

    // -------------------------------------------------------------------------------------------- words

    fn put(&mut self, text: &str) {
        self.ops.push(Op::Text(text.to_owned()));
    }

    fn fill(&mut self) {
        self.ops.push(Op::Fill);
    }

    /// ` word `, where the line may break before the word.
    fn word(&mut self, word: &str) {
        self.fill();
        self.put(word);
        self.put(" ");
    }

    /// Something that was written at a place: comments before it come first.
    fn leaf(&mut self, text: &str, span: Span) {
        self.comments_before(span);
        self.put(text);
    }

    fn name(&mut self, name: &Name) {
        self.leaf(&name.it, name.span);
    }

    fn number(&mut self, number: &Number) {
        self.leaf(&number.it.to_string(), number.span);
    }

    fn quoted(&mut self, text: &Text) {
        self.leaf(&format!("\"{}\"", text.it), text.span);
    }

    fn names(&mut self, names: &[Name]) {
        self.list(names, |printer, name| printer.name(name));
    }

    /// `a, b, c`, broken where it must be.
    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(",");
                self.fill();
            }
            print(self, item);
        }
    }

    /// ` word a, b, c` if there are any.
    fn names_behind(&mut self, word: &str, names: &[Name]) {
        if let Some(first) = names.first() {
            self.comments_before(first.span);
            self.word(word);
            self.names(names);
        }
    }

    fn title(&mut self, title: Option<&Text>) {
        if let Some(title) = title {
            self.fill();
            self.quoted(title);
        }
    }

    /// Where a line comes from, in a column of its own: what it says is read without it.
    fn tags(&mut self, tags: &Tags) {
        self.tagged(tags, Op::Tab);
    }

    /// The same in a head with braces behind it.
    fn tags_before_brace(&mut self, tags: &Tags) {
        self.tagged(tags, Op::Fill);
    }

    fn tagged(&mut self, tags: &Tags, first: Op) {
        let mut before = Some(first);
        if let Some(cite) = tags.cites.first() {
            self.comments_before(cite.span);
            self.ops.extend(before.take());
            self.put("cites ");
            self.names(&tags.cites);
        }
        for why in &tags.inferred {
            self.comments_before(why.span);
            self.ops.push(before.take().unwrap_or(Op::Fill));
            self.put("inferred ");
            self.quoted(why);
        }
    }

    /// Prints something whose further lines hang.
    fn hanging(&mut self, print: impl FnOnce(&mut Self)) {
        self.ops.push(Op::Indent(HANGING));
        self.hung += HANGING;
        print(self);
        self.hung -= HANGING;
        self.ops.push(Op::Dedent(HANGING));
    }

    /// Prints something that stands on one line if it fits.
    fn group(&mut self, print: impl FnOnce(&mut Self)) {
        self.ops.push(Op::Open { kept: true });
        print(self);
        self.ops.push(Op::Close);
    }

    // -------------------------------------------------------------------------------------------- items

    /// Prints something that begins a line, with the comments before it.
    fn item(&mut self, span: Span, print: impl FnOnce(&mut Self)) {
        self.comments_before_line(span.start as usize);
        self.line_at(span.start as usize);
        print(self);
    }

    /// Begins a line for what was written at `at`, behind an empty one if one stood there.
    fn line_at(&mut self, at: usize) {
        let blank = !self.fresh && comments::blank_line_before(self.text, at);
        self.ops.push(if blank { Op::Blank } else { Op::Hard });
        self.fresh = false;
    }

    /// Comments before the next line: those behind something stay there, the others get lines of their own.
    fn comments_before_line(&mut self, at: usize) {
        while let Some(comment) = self.comments.next_before(at) {
            if comment.own_line {
                self.line_at(comment.start);
            }
            self.ops.push(Op::Comment { text: comment.text.to_owned(), own_line: comment.own_line });
        }
    }

    /// Comments within something.
    fn comments_before(&mut self, span: Span) {
        while let Some(comment) = self.comments.next_before(span.start as usize) {
            self.ops.push(Op::Comment { text: comment.text.to_owned(), own_line: comment.own_line });
        }
    }

    /// ` { … }` with an item on each line, or all on one line if they were and fit. `whole` ends with the closing brace.
    fn braces<T>(&mut self, items: &[At<T>], whole: Span, print: impl FnMut(&mut Self, &At<T>)) {
        self.put(" ");
        self.bare_braces(items, |item| item.span, whole, print);
    }

    /// The same, behind nothing. What is inside is indented from the line where its declaration or statement begins.
    fn bare_braces<T>(&mut self, items: &[T], span: impl Fn(&T) -> Span, whole: Span, mut print: impl FnMut(&mut Self, &T)) {
        let close = (whole.end as usize).saturating_sub(1);
        let has_comment = self.comments.has_before(close);
        self.put("{");
        if items.is_empty() && !has_comment {
            self.put(" }");
            return;
        }
        let hung = std::mem::take(&mut self.hung);
        self.ops.push(Op::Dedent(hung));
        if !has_comment && comments::on_one_line(self.text, items.first().map(&span), items.last().map(&span)) {
            self.on_one_line(items, print);
        } else {
            self.fresh = true;
            self.ops.push(Op::Indent(INSIDE));
            for item in items {
                self.item(span(item), |printer| print(printer, item));
            }
            self.comments_before_line(close);
            self.fresh = false;
            self.ops.push(Op::Dedent(INSIDE));
            self.ops.push(Op::Hard);
        }
        self.put("}");
        self.ops.push(Op::Indent(hung));
        self.hung = hung;
    }

    fn on_one_line<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        self.ops.extend([Op::Open { kept: false }, Op::Indent(INSIDE)]);
        for item in items {
            self.ops.push(Op::Line);
            print(self, item);
        }
        self.ops.extend([Op::Dedent(INSIDE), Op::Line, Op::Close]);
    }
}
