//! From a file's tree to cases: the schema, strictly, with every fault of every case.

mod compare;
mod facts;
mod play;
mod values;

use super::case::{Body, Case, Expected, Kind, Level, Origin, ParamValue, Params, Reading, Status, Text};
use super::read::{Fields, Reader};
use super::yaml::{self, Node, Value};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};

/// Keys that every kind has.
const HEADER: &[&str] = &[
    "id",
    "title",
    "was",
    "kind",
    "rules",
    "with",
    "house",
    "params",
    "cites",
    "level",
    "requires",
    "why",
    "derived",
    "status",
    "origin",
    "expect",
    "readings",
    "discriminates",
];
const COMPARE: &[&str] = &["hands", "separate"];
const PLAY: &[&str] = &["start", "given", "deal", "deck", "stock", "redeals", "steps", "view"];
const RECKON: &[&str] = &["position", "given", "table"];

/// Signs of Crockford's base 32 in lower case: no i, l, o, u.
const CROCKFORD: &str = "0123456789abcdefghjkmnpqrstvwxyz";

/// The cases of one file that have no fault, and the faults of the others.
pub fn file(file: FileId, text: &str) -> (Vec<Case>, Vec<Diagnostic>) {
    let mut faults = Vec::new();
    let items = yaml::items(file, text, "cases", &mut faults);
    let mut cases = Vec::new();
    for item in &items {
        let mut reader = Reader::default();
        let case = case(&mut reader, item);
        // A fault of syntax, such as an anchor, lies in `faults` already and leaves a broken node behind.
        let hurt = faults.iter().any(|fault| fault.labels.first().is_some_and(|label| within(item, label.span.start)));
        if reader.faults.is_empty() && !hurt {
            cases.extend(case);
        }
        faults.append(&mut reader.faults);
    }
    faults.sort_by_key(|fault| fault.labels.first().map_or(0, |label| label.span.start));
    for label in faults.iter_mut().flat_map(|fault| &mut fault.labels) {
        label.span = whole_signs(label.span, text);
    }
    (cases, faults)
}

/// The reader of YAML counts bytes where it is unsure of a text; a place never cuts a sign in two.
fn whole_signs(span: Span, text: &str) -> Span {
    let (mut start, mut end) = ((span.start as usize).min(text.len()), (span.end as usize).min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(span.file, start, end.max(start))
}

fn within(item: &Node, at: u32) -> bool {
    item.span.start <= at && at < item.span.end
}

/// One case. A value is returned even if faults were found, unless something without which there is no case is missing.
fn case(reader: &mut Reader, node: &Node) -> Option<Case> {
    let fields = reader.map(node, "a case")?;
    let kind = reader.need(&fields, "kind", "the case").and_then(|node| reader.word(node, "the kind", Kind::ALL));
    keys(reader, &fields, kind);
    let id = reader.need(&fields, "id", "the case").and_then(|node| id(reader, node, "the id"));
    let rules = reader.need(&fields, "rules", "the case").map_or_else(Vec::new, |node| names(reader, node, "`rules`", is_name));
    let cites = reader.need(&fields, "cites", "the case").map_or_else(Vec::new, |node| cites(reader, node));
    let level = reader.need(&fields, "level", "the case").and_then(|node| reader.word(node, "the level", Level::ALL));
    let why = reader.need(&fields, "why", "the case").and_then(|node| reader.text(node, "the why"));
    let derived = reader.need(&fields, "derived", "the case").and_then(|node| reader.word(node, "`derived`", super::case::Derived::ALL));
    let status = reader.need(&fields, "status", "the case").and_then(|node| reader.word(node, "the status", Status::ALL));
    let optional = |key: &str| fields.get(key);
    let title = optional("title").and_then(|node| reader.text(node, "the title")).map(|title| title.text);
    let was = optional("was").map_or_else(Vec::new, |node| was(reader, node));
    let with = optional("with").map_or_else(Vec::new, |node| names(reader, node, "`with`", is_name));
    let house = optional("house").and_then(|node| reader.text(node, "`house`")).map(|house| house.text);
    let params = optional("params").map_or_else(Params::new, |node| params(reader, node, "`params`"));
    let requires = optional("requires").map_or_else(Vec::new, |node| names(reader, node, "`requires`", is_dotted));
    let origin = optional("origin").and_then(|node| origin(reader, node));
    let discriminates = optional("discriminates").map_or_else(Default::default, |node| discriminates(reader, node));
    let house_needs = params.is_empty() && with.is_empty() && house.is_none();
    if level == Some(Level::House) && house_needs {
        let place = fields.get("level").map_or(fields.place, |node| node.span);
        let fault = Diagnostic::new(Code::BadCase, "a case of level `house` holds under parameters that it does not name", place);
        reader.push(fault.with_help("add `params`, `with` or `house`, or choose another level"));
    }
    one_expectation(reader, &fields, level);
    let header = Header { fields, rules: &rules, disputed: level == Some(Level::Disputed) };
    let body = match kind? {
        Kind::Compare => Body::Compare(compare::body(reader, &header)?),
        Kind::Play => Body::Play(Box::new(play::play(reader, &header)?)),
        Kind::Reckon => Body::Reckon(play::reckon(reader, &header)?),
    };
    Some(Case {
        id: id?,
        was,
        title,
        rules,
        with: with.into_iter().map(|name| name.text).collect(),
        house,
        params,
        cites,
        level: level?,
        requires: requires.into_iter().map(|name| name.text).collect(),
        why: why?,
        derived: derived?,
        status: status?,
        origin,
        discriminates,
        body,
    })
}

/// What the bodies need of the rest of their case.
struct Header<'n> {
    fields: Fields<'n>,
    rules: &'n [Text],
    disputed: bool,
}

impl Header<'_> {
    /// Nothing is expected; of a disputed case that has been said already.
    fn silent(&self) -> bool {
        !self.disputed && self.fields.get("expect").is_none() && self.fields.get("readings").is_none()
    }
}

/// Unknown keys, and keys of another kind.
fn keys(reader: &mut Reader, fields: &Fields<'_>, kind: Option<Kind>) {
    let own = match kind {
        Some(Kind::Compare) => COMPARE,
        Some(Kind::Play) => PLAY,
        Some(Kind::Reckon) => RECKON,
        None => &[],
    };
    let all = [(Kind::Compare, COMPARE), (Kind::Play, PLAY), (Kind::Reckon, RECKON)];
    for entry in fields.entries() {
        let key = entry.key.text.as_str();
        if key.is_empty() || HEADER.contains(&key) || own.contains(&key) {
            continue;
        }
        let other = all.iter().find(|(_, keys)| keys.contains(&key)).map(|(other, _)| other.text());
        match (other, kind) {
            (Some(other), Some(kind)) => {
                reader.bad(entry.key_span, format!("`{key}` belongs to cases of kind `{other}`, and this is `{}`", kind.text()))
            }
            (Some(_), None) => {}
            (None, _) => reader.unknown_key(entry, "a case", &[HEADER, own].concat()),
        }
    }
}

fn id(reader: &mut Reader, node: &Node, what: &str) -> Option<Text> {
    let id = reader.text(node, what)?;
    let good = id
        .text
        .rsplit_once('-')
        .is_some_and(|(interface, signs)| is_name(interface) && signs.chars().count() == 4 && signs.chars().all(|sign| CROCKFORD.contains(sign)));
    if good {
        return Some(id);
    }
    let message = format!("{what} `{}` is not an interface's name, a hyphen and four signs of Crockford's base 32", id.text);
    reader.push(Diagnostic::new(Code::BadCase, message, id.span).with_help("write lower case, without i, l, o and u: `draw-poker-q7m2`"));
    None
}

fn was(reader: &mut Reader, node: &Node) -> Vec<Text> {
    let Value::List(items) = &node.value else {
        return id(reader, node, "the old id").into_iter().collect();
    };
    items.iter().filter_map(|item| id(reader, item, "the old id")).collect()
}

/// Small letters, digits and hyphens, a letter first.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|sign: char| sign.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-')
}

/// Names joined by dots: a feature, an id of a statement.
fn is_dotted(text: &str) -> bool {
    text.split('.').all(is_name)
}

/// One name or several of rulebooks, amendments, features: each once.
fn names(reader: &mut Reader, node: &Node, what: &str, good: fn(&str) -> bool) -> Vec<Text> {
    let names = reader.one_or_more(node, what);
    for (at, name) in names.iter().enumerate() {
        if !good(&name.text) {
            reader.bad(name.span, format!("`{}` is not a name: small letters, digits and hyphens", name.text));
        }
        if names.iter().take(at).any(|before| before.text == name.text) {
            reader.bad(name.span, format!("`{}` stands twice in {what}", name.text));
        }
    }
    names
}

/// Statements, at least one, each once; whether they exist is for the corpus to say.
fn cites(reader: &mut Reader, node: &Node) -> Vec<Text> {
    let cites = reader.texts(node, "`cites`");
    if matches!(&node.value, Value::List(items) if items.is_empty()) {
        reader.bad(node.span, "`cites` is empty: every case cites at least one statement");
    }
    for (at, cite) in cites.iter().enumerate() {
        if cites.iter().take(at).any(|before| before.text == cite.text) {
            reader.bad(cite.span, format!("`{}` is cited twice", cite.text));
        }
    }
    cites
}

fn params(reader: &mut Reader, node: &Node, what: &str) -> Params {
    let Some(fields) = reader.map(node, what) else { return Params::new() };
    let mut params = Params::new();
    for entry in fields.entries() {
        let name = &entry.key.text;
        if !is_name(name) && !name.is_empty() {
            reader.bad(entry.key_span, format!("`{name}` is not a name: small letters, digits and hyphens"));
        }
        if let Some(value) = param(reader, &entry.value, name) {
            params.insert(name.clone(), value);
        }
    }
    params
}

fn param(reader: &mut Reader, node: &Node, name: &str) -> Option<ParamValue> {
    let what = format!("the parameter `{name}`");
    match &node.value {
        Value::List(_) => Some(ParamValue::Many(reader.texts(node, &what).into_iter().map(|text| text.text).collect())),
        Value::Scalar(_) => reader.text_or_integer(node, &what, ParamValue::One, ParamValue::Number),
        Value::Map(_) | Value::Broken => {
            reader.wrong(node, &what, "a word, a number or a list of words");
            None
        }
    }
}

fn origin(reader: &mut Reader, node: &Node) -> Option<Origin> {
    let fields = reader.fields(node, "`origin`", &["found", "ours", "theirs"])?;
    let mut one = |key: &str| reader.need(&fields, key, "`origin`").and_then(|node| reader.text(node, key)).map(|text| text.text);
    let (found, ours, theirs) = (one("found"), one("ours"), one("theirs"));
    Some(Origin { found: found?, ours: ours?, theirs: theirs? })
}

fn discriminates(reader: &mut Reader, node: &Node) -> std::collections::BTreeMap<String, Vec<ParamValue>> {
    let Some(fields) = reader.map(node, "`discriminates`") else { return Default::default() };
    let mut all = std::collections::BTreeMap::new();
    for entry in fields.entries() {
        let name = &entry.key.text;
        let Some(items) = reader.list(&entry.value, &format!("the values of `{name}`")) else { continue };
        if items.is_empty() {
            reader.bad(entry.value.span, format!("no value of `{name}` is given"));
        }
        all.insert(name.clone(), items.iter().filter_map(|item| param(reader, item, name)).collect());
    }
    all
}

/// Where authors differ there are readings and no single expectation; elsewhere the other way round.
fn one_expectation(reader: &mut Reader, fields: &Fields<'_>, level: Option<Level>) {
    let (expect, readings) = (fields.entry("expect"), fields.entry("readings"));
    match (level, expect, readings) {
        (Some(Level::Disputed), Some(expect), _) => {
            let fault = Diagnostic::new(Code::BadCase, "a disputed case has no single expectation", expect.key_span);
            reader.push(fault.with_help("write `readings`, each with `rules`, `cites` and `expect`"));
        }
        (Some(Level::Disputed), None, None) => {
            let fault = Diagnostic::new(Code::BadCase, "a disputed case has no `readings`", fields.place);
            reader.push(fault.with_help("write `readings`, each with `rules`, `cites` and `expect`"));
        }
        (Some(Level::Must | Level::Should | Level::House), _, Some(readings)) => {
            let fault = Diagnostic::new(Code::BadCase, "`readings` belong to a disputed case", readings.key_span);
            reader.push(fault.with_help("write `level: disputed`, or a single `expect`"));
        }
        (Some(_), _, _) | (None, _, _) => {}
    }
}

/// `expect` or `readings`, with `one` reading what is expected.
fn expected<E>(reader: &mut Reader, header: &Header<'_>, mut one: impl FnMut(&mut Reader, &Node) -> Option<E>) -> Option<Expected<E>> {
    if let Some(node) = header.fields.get("expect") {
        return one(reader, node).map(Expected::One);
    }
    let node = header.fields.get("readings")?;
    let items = reader.list(node, "`readings`")?;
    let readings: Vec<Reading<E>> = items.iter().filter_map(|item| reading(reader, header, item, &mut one)).collect();
    for book in header.rules {
        if readings.len() == items.len() && !readings.iter().any(|reading| reading.rules.contains(&book.text)) {
            reader.bad(book.span, format!("no reading says what `{}` answers", book.text));
        }
    }
    Some(Expected::Readings(readings))
}

fn reading<E>(reader: &mut Reader, header: &Header<'_>, node: &Node, one: &mut impl FnMut(&mut Reader, &Node) -> Option<E>) -> Option<Reading<E>> {
    let fields = reader.fields(node, "a reading", &["rules", "params", "cites", "expect"])?;
    let rules = fields.get("rules").map_or_else(|| header.rules.to_vec(), |node| names(reader, node, "`rules`", is_name));
    for book in &rules {
        if !header.rules.iter().any(|known| known.text == book.text) {
            reader.bad(book.span, format!("`{}` is not among the `rules` of the case", book.text));
        }
    }
    let params = fields.get("params").map_or_else(Params::new, |node| params(reader, node, "`params`"));
    let cites = reader.need(&fields, "cites", "a reading").map_or_else(Vec::new, |node| cites(reader, node));
    let expect = reader.need(&fields, "expect", "a reading").and_then(|node| one(reader, node));
    Some(Reading { rules: rules.into_iter().map(|name| name.text).collect(), params, cites, expect: expect? })
}
