//! What the rules of the grammar are called in messages.

use super::grammar::Rule;

/// How much a phrase helps a reader who must decide what to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// A sign that must come sooner or later: where one may stand, it is what is missing.
    Firm,
    /// One of several ways to go on.
    Way,
    /// What may follow almost anything: an operator, a citation.
    Loose,
}

/// One thing that might have stood at the place of an error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Expected {
    pub weight: Weight,
    pub phrase: String,
}

impl Expected {
    /// The word of the language that is expected, if the phrase is just that.
    pub fn word(&self) -> Option<&str> {
        let word = self.phrase.strip_prefix('`')?.strip_suffix('`')?;
        word.starts_with(|first: char| first.is_ascii_lowercase()).then_some(word)
    }
}

/// What a rule is called in a message; nothing for rules that only mark something. Several phrases where it begins in several ways.
pub(super) fn expected(rule: Rule) -> Vec<Expected> {
    if let Some((weight, phrases, _)) = PHRASES.iter().find(|(_, _, rules)| rules.contains(&rule)) {
        return phrases.split(" | ").map(|phrase| Expected { weight: *weight, phrase: phrase.to_owned() }).collect();
    }
    let name = format!("{rule:?}");
    let Some(word) = name.strip_prefix("k_") else { return Vec::new() };
    let weight = if LOOSE_WORDS.contains(&word) { Weight::Loose } else { Weight::Way };
    vec![Expected { weight, phrase: format!("`{word}`") }]
}

/// Words that may follow any expression, or stand in any declaration.
const LOOSE_WORDS: &[&str] = &["and", "or", "is", "in", "reaches", "cites", "inferred", "since", "before", "through"];

use Weight::{Firm, Loose, Way};

const PHRASES: &[(Weight, &str, &[Rule])] = &[
    (Way, "the end", &[Rule::EOI]),
    // signs
    (Firm, "`;`", &[Rule::p_semicolon]),
    (Way, "`,`", &[Rule::p_comma, Rule::may_owe, Rule::void_again, Rule::wild_double, Rule::seen, Rule::at_start]),
    (Firm, "`:`", &[Rule::p_colon]),
    (Firm, "`{`", &[Rule::p_open]),
    (Firm, "`}`", &[Rule::p_close]),
    (Loose, "`(`", &[Rule::p_paren, Rule::parameters, Rule::act_parameters, Rule::arguments, Rule::map_parameters]),
    (Firm, "`)`", &[Rule::p_unparen]),
    (Way, "`[`", &[Rule::p_bracket]),
    (Firm, "`]`", &[Rule::p_unbracket]),
    (Way, "`|`", &[Rule::p_bar]),
    (Firm, "`->`", &[Rule::p_arrow]),
    (Firm, "`=>`", &[Rule::p_does, Rule::does_block, Rule::does_deed]),
    (Firm, "`=`", &[Rule::p_equals, Rule::initial]),
    (Firm, "`:=`", &[Rule::assign_word]),
    (Way, "`+`", &[Rule::p_plus]),
    (Loose, "`.`", &[Rule::p_dot, Rule::field]),
    (Loose, "`before` | `through`", &[Rule::reckoned_at]),
    (
        Loose,
        "an operator",
        &[
            Rule::comparison_tail,
            Rule::compare_word,
            Rule::in_test,
            Rule::is_test,
            Rule::reaches_test,
            Rule::arithmetic_word,
            Rule::join_word,
            Rule::minus,
        ],
    ),
    (Loose, "`cites` | `inferred`", &[Rule::tags, Rule::cites, Rule::inferred]),
    (Loose, "`since`", &[Rule::log_window]),
    (Loose, "`by`", &[Rule::log_by]),
    // words, numbers, texts
    (
        Way,
        "a name",
        &[
            Rule::name,
            Rule::value_word,
            Rule::member,
            Rule::member_choice,
            Rule::edge_target,
            Rule::name_pair,
            Rule::class_pair,
            Rule::attribute_range,
            Rule::scale_members,
            Rule::scale_derived,
            Rule::scale_also_low,
            Rule::position_item,
            Rule::position_seats,
            Rule::map_target,
            Rule::branch,
            Rule::parameter,
            Rule::act_name,
            Rule::plain_type,
            Rule::place_path,
            Rule::wild_which,
            Rule::follows,
            Rule::log_pattern,
            Rule::binder,
            Rule::each_around,
            Rule::each_of,
        ],
    ),
    (Way, "a name, or several in braces", &[Rule::value_set, Rule::value_list]),
    (Way, "`NAME in { … }`", &[Rule::values_of]),
    (Way, "the id of a statement", &[Rule::statement_id]),
    (Way, "a number", &[Rule::number, Rule::piece_count, Rule::figure, Rule::interface_between]),
    (Way, "a text in quotes", &[Rule::text]),
    // larger things
    (
        Way,
        "a declaration",
        &[
            Rule::declaration,
            Rule::edits,
            Rule::library_header,
            Rule::rulebook_header,
            Rule::uses,
            Rule::amendment,
            Rule::amendment_head,
            Rule::house,
            Rule::house_head,
            Rule::set_edit,
            Rule::choose_edit,
            Rule::ranking_edit,
            Rule::kind_decl,
            Rule::scale_decl,
            Rule::piece_decl,
            Rule::pieces_decl,
            Rule::param_decl,
            Rule::option_decl,
            Rule::seats_decl,
            Rule::place_decl,
            Rule::account_decl,
            Rule::tally_decl,
            Rule::role_decl,
            Rule::fact_decl,
            Rule::question_decl,
            Rule::event_decl,
            Rule::right_decl,
            Rule::signal_decl,
            Rule::breach_decl,
            Rule::def_decl,
            Rule::action_decl,
            Rule::procedure_decl,
            Rule::void_decl,
            Rule::rule_decl,
            Rule::adopt_decl,
            Rule::remark_decl,
            Rule::advise_decl,
            Rule::undecided_decl,
            Rule::claim_decl,
            Rule::interface,
            Rule::implements,
            Rule::ranking_decl,
        ],
    ),
    (
        Way,
        "an item of an interface",
        &[
            Rule::interface_item,
            Rule::interface_param,
            Rule::interface_classes,
            Rule::interface_compare,
            Rule::interface_shows,
            Rule::interface_act,
            Rule::interface_event,
            Rule::interface_position,
        ],
    ),
    (
        Way,
        "a mapping",
        &[Rule::mapping, Rule::map_param, Rule::map_class, Rule::map_compare, Rule::map_shows, Rule::map_act, Rule::map_event, Rule::map_position],
    ),
    (Way, "`option` | `param` | `only` | `{`", &[Rule::map_to_option, Rule::map_to_param, Rule::map_fixed, Rule::map_to_choices]),
    (Way, "`{`", &[Rule::value_map]),
    (Way, "`is`", &[Rule::position_answer]),
    (Loose, "`for`", &[Rule::position_for]),
    (
        Way,
        "an item of a ranking",
        &[Rule::ranking_item, Rule::under_block, Rule::class_item, Rule::drop_item, Rule::beats_item, Rule::ties_item, Rule::wild_item],
    ),
    (Way, "`class` | a name", &[Rule::drop_class, Rule::drop_edge]),
    (Way, "`any` | a number", &[Rule::ranking_size]),
    (Way, "`in` | `otherwise`", &[Rule::ties_scope, Rule::ties_in]),
    (Way, "a tie key such as `groups`", &[Rule::tie_key, Rule::key_word, Rule::key_top_of_run, Rule::key_sum]),
    (Way, "`stands for` | `named by holder`", &[Rule::wild_stands, Rule::wild_named]),
    (
        Way,
        "a pattern",
        &[
            Rule::pattern,
            Rule::pattern_atom,
            Rule::pat_anything,
            Rule::pat_no_groups,
            Rule::pat_groups,
            Rule::pat_run,
            Rule::pat_top,
            Rule::pat_bottom,
            Rule::pat_class,
            Rule::pat_natural,
            Rule::pat_holds,
            Rule::pat_same,
            Rule::pat_values,
        ],
    ),
    (
        Way,
        "a type",
        &[
            Rule::type_name,
            Rule::maybe_type,
            Rule::set_type,
            Rule::list_type,
            Rule::enum_type,
            Rule::class_type,
            Rule::ranking_type,
            Rule::tally_type,
            Rule::account_type,
            Rule::range_type,
        ],
    ),
    (Way, "`{`", &[Rule::block]),
    (
        Way,
        "a statement",
        &[
            Rule::statement,
            Rule::let_stmt,
            Rule::when_stmt,
            Rule::is_stmt,
            Rule::answer_stmt,
            Rule::before_stmt,
            Rule::after_stmt,
            Rule::if_stmt,
            Rule::each_stmt,
            Rule::repeat_stmt,
            Rule::offer_stmt,
            Rule::duty_stmt,
            Rule::pay_stmt,
            Rule::share_stmt,
            Rule::move_stmt,
            Rule::score_stmt,
            Rule::close_stmt,
            Rule::mark_stmt,
            Rule::show_stmt,
            Rule::arrange_stmt,
            Rule::lift_stmt,
            Rule::announce_stmt,
            Rule::settle_stmt,
            Rule::again_stmt,
            Rule::end_stmt,
            Rule::void_stmt,
            Rule::pause_stmt,
            Rule::phase_stmt,
            Rule::assign_stmt,
            Rule::call_stmt,
            Rule::action_statement,
            Rule::do_pay,
            Rule::do_move,
            Rule::do_score,
            Rule::do_mark,
            Rule::do_show,
            Rule::do_arrange,
            Rule::do_lift,
            Rule::do_announce,
            Rule::do_end,
            Rule::do_void,
            Rule::do_answer,
            Rule::do_assign,
            Rule::do_call,
        ],
    ),
    (Way, "what is gone through: `p from first`, `x in set` or `slice s of account`", &[Rule::each_slice]),
    (Way, "an alternative `| act => …`", &[Rule::alternative]),
    (Way, "an act | `{`", &[Rule::duty_alternatives, Rule::single_duty]),
    (Way, "a seat | `nobody`", &[Rule::duty_by]),
    (Way, "`owner` | `all` | `nobody` | the seats", &[Rule::seen_by]),
    (Way, "what is moved", &[Rule::moved, Rule::moved_part, Rule::every_piece, Rule::piece_end, Rule::part_end]),
    (Way, "a place", &[Rule::destination]),
    (Way, "`all` | the seats", &[Rule::known_to]),
    (
        Way,
        "a value",
        &[
            Rule::expression,
            Rule::whole_expression,
            Rule::if_expression,
            Rule::or_expression,
            Rule::additive,
            Rule::primary,
            Rule::truth,
            Rule::nothing,
            Rule::all_seats,
            Rule::the_owner,
            Rule::beside,
            Rule::hole,
            Rule::call_or_name,
            Rule::argument,
            Rule::set_literal,
            Rule::list_literal,
            Rule::span_item,
            Rule::quantified,
            Rule::those_expression,
            Rule::aggregate,
            Rule::extreme,
            Rule::extreme_of,
            Rule::best_expression,
            Rule::only_expression,
            Rule::log_query,
            Rule::during_test,
            Rule::ends_of,
            Rule::cycle_expression,
            Rule::group_expression,
            Rule::table_expression,
            Rule::domain,
            Rule::act_parameter,
            Rule::offer_to,
            Rule::each_offer,
        ],
    ),
    (Way, "a row of the table", &[Rule::table_row, Rule::table_key]),
    (Way, "`start of` | `end of` | `first` | `last` | `has`", &[Rule::log_mark]),
    // what begins with a word of its own
    (Way, "`under`", &[Rule::under, Rule::headings, Rule::score_under]),
    (Way, "`replaces` | `suspends` | `amends` | `yields to`", &[Rule::edge, Rule::edge_word]),
    (Way, "`replaces`", &[Rule::replaces_layer]),
    (Way, "`on`", &[Rule::amends_base]),
    (Way, "`with`", &[Rule::house_with]),
    (Way, "`of`", &[Rule::indexed]),
    (Way, "`by`", &[Rule::shares, Rule::acts_by, Rule::pat_by, Rule::run_step, Rule::map_by]),
    (Way, "`per`", &[Rule::life]),
    (Way, "`along`", &[Rule::key_along, Rule::by_scale]),
    (Way, "`during`", &[Rule::during]),
    (Way, "`while`", &[Rule::while_holds]),
    (Way, "`possible when`", &[Rule::possible]),
    (Way, "`supposes`", &[Rule::supposes]),
    (Way, "`otherwise`", &[Rule::otherwise]),
    (Way, "`in`", &[Rule::parameter_domain, Rule::in_ranking, Rule::wild_into, Rule::any_order]),
    (Way, "`against` | `for` | `of`", &[Rule::claim_against, Rule::claim_proportion, Rule::claim_count]),
    (Way, "`reading`", &[Rule::claim_reading]),
    (Way, "`blank` | the name of a piece", &[Rule::each_pieces, Rule::blank_pieces]),
    (Way, "`lowest` | `highest` | `also lowest`", &[Rule::scale_shift]),
    (Way, "`where`", &[Rule::each_where]),
    (Way, "`until`", &[Rule::each_until, Rule::repeat_after]),
    (Way, "`once`", &[Rule::each_once]),
    (Way, "a number of times", &[Rule::repeat_times]),
    (Way, "`else`", &[Rule::else_breach]),
    (Way, "`when`", &[Rule::alternative_when]),
    (Way, "`heard`", &[Rule::alternative_heard]),
    (Way, "`regular`", &[Rule::alternative_regular]),
    (Way, "`for`", &[Rule::void_cause]),
    (Way, "`after`", &[Rule::score_after]),
    (Way, "`low`", &[Rule::key_low]),
    (Way, "`wild up`", &[Rule::key_wild_up]),
    (Way, "`around`", &[Rule::run_around]),
    (Way, "`to`", &[Rule::run_top]),
    (Way, "`or up`", &[Rule::or_up_mark]),
    (Way, "`every rule on`", &[Rule::every_rule_on]),
    (Way, "`top` | `bottom`", &[Rule::end_word]),
    (Way, "`some`", &[Rule::some_mark]),
    (Way, "`all`", &[Rule::all_mark]),
    (Way, "`up to`", &[Rule::up_to_mark]),
    (Way, "`set of`", &[Rule::set_mark]),
    (Way, "`irregular`", &[Rule::irregular_mark]),
    (Way, "`not`", &[Rule::not_mark]),
    (Way, "`unsettled`", &[Rule::unsettled_mark]),
    (Way, "`stock`", &[Rule::stock_mark]),
    (Way, "`replace`", &[Rule::replace_mark]),
    (Way, "`open`", &[Rule::open_mark]),
    (Way, "`extend`", &[Rule::extend_mark]),
    (Way, "`amend`", &[Rule::amend_mark]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules that can never be what is missing: they are silent, or stand only inside a word.
    const SILENT: &[&str] = &["WHITESPACE", "COMMENT", "to_line_end", "wordchar", "word_text", "id_word", "keyword", "closing"];

    #[test]
    fn every_rule_has_words() {
        for rule in Rule::all_rules() {
            let name = format!("{rule:?}");
            assert!(!expected(*rule).is_empty() || SILENT.contains(&name.as_str()), "{name} has no words");
        }
    }

    #[test]
    fn words_and_signs_of_the_language_stand_together_in_the_grammar() {
        for rule in Rule::all_rules() {
            let name = format!("{rule:?}");
            let sign = name.starts_with("k_") || name.starts_with("p_");
            assert_eq!(sign, (Rule::k_account..=Rule::p_dot).contains(rule), "{name}");
        }
    }
}
