//! The order in which rules are decided: one stands behind everything that can make it give way. Clause 6.4.

use super::program::{Rule, RuleId};

/// All rules, each behind those that can make it give way and behind what it amends, else as they are declared; or a ring of rules that
/// give way to one another.
pub(super) fn order(rules: &[Rule]) -> Result<Vec<RuleId>, Vec<RuleId>> {
    let mut before: Vec<Vec<RuleId>> = vec![Vec::new(); rules.len()];
    for (id, rule) in rules.iter().enumerate() {
        for target in rule.replaces.iter().chain(&rule.suspends) {
            if let Some(before) = before.get_mut(*target) {
                before.push(id);
            }
        }
        // An amendment falls with its target.
        if let Some(before) = before.get_mut(id) {
            before.extend(&rule.amends);
        }
    }
    let mut done = vec![false; rules.len()];
    let mut ordered = Vec::with_capacity(rules.len());
    let is_done = |done: &[bool], id: &RuleId| done.get(*id).copied().unwrap_or(true);
    while ordered.len() < rules.len() {
        let next = (0..rules.len()).find(|id| !is_done(&done, id) && before.get(*id).is_some_and(|first| first.iter().all(|id| is_done(&done, id))));
        let Some(next) = next else { return Err(ring(&before, &done)) };
        if let Some(done) = done.get_mut(next) {
            *done = true;
        }
        ordered.push(next);
    }
    Ok(ordered)
}

/// Every rule that is left waits for another one that is left: following that leads round in a ring.
fn ring(before: &[Vec<RuleId>], done: &[bool]) -> Vec<RuleId> {
    let waits_for = |id: RuleId| before.get(id)?.iter().copied().find(|other| !done.get(*other).copied().unwrap_or(true));
    let mut way: Vec<RuleId> = Vec::new();
    let mut at = done.iter().position(|done| !done);
    while let Some(id) = at {
        if let Some(start) = way.iter().position(|other| *other == id) {
            // What waits stands last: turned round, each rule makes the next one give way.
            let mut ring = way.split_off(start);
            ring.reverse();
            return ring;
        }
        way.push(id);
        at = waits_for(id);
    }
    way
}
