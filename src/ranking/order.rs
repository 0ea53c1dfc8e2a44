//! From `beats` edges to one order of the classes. Clause 7.5.

/// Why edges give no order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderFault {
    /// These edges (positions in the list that was given) run in a circle.
    Cycle(Vec<usize>),
    /// Neither of two classes in use beats the other.
    Unordered {
        first: usize,
        second: usize,
        /// The lowest classes in use that beat both: an edge from here down says nothing new.
        above_both: Vec<usize>,
        /// The highest classes in use that both beat.
        below_both: Vec<usize>,
    },
}

/// The classes in use, best first.
///
/// An edge is (above, below). Paths run through all declared classes, for a class that is not played may still say how two others stand;
/// only those in use must be comparable. An edge that names no class is ignored: names are checked elsewhere.
///
/// # Errors
/// Every circle (the shortest through its first class) and every unordered pair, in the order of the classes.
pub fn order(count: usize, edges: &[(usize, usize)], in_use: &[bool]) -> Result<Vec<usize>, Vec<OrderFault>> {
    let beats = Closure::of(count, edges);
    let used: Vec<usize> = (0..count).filter(|c| in_use.get(*c) == Some(&true)).collect();
    let mut faults = circles(count, edges, &beats);
    for (i, first) in used.iter().enumerate() {
        for second in used.iter().skip(i + 1) {
            if !beats.holds(*first, *second) && !beats.holds(*second, *first) {
                faults.push(unordered(*first, *second, &used, &beats));
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut sorted = used.clone();
    sorted.sort_by_key(|c| std::cmp::Reverse(used.iter().filter(|d| beats.holds(*c, **d)).count()));
    Ok(sorted)
}

/// Who beats whom, by any path.
struct Closure {
    count: usize,
    reached: Vec<bool>,
}

impl Closure {
    fn of(count: usize, edges: &[(usize, usize)]) -> Closure {
        let mut closure = Closure { count, reached: vec![false; count * count] };
        for (above, below) in edges {
            closure.set(*above, *below);
        }
        for via in 0..count {
            for above in 0..count {
                if closure.holds(above, via) {
                    for below in 0..count {
                        if closure.holds(via, below) {
                            closure.set(above, below);
                        }
                    }
                }
            }
        }
        closure
    }

    fn holds(&self, above: usize, below: usize) -> bool {
        above < self.count && below < self.count && self.reached.get(above * self.count + below) == Some(&true)
    }

    fn set(&mut self, above: usize, below: usize) {
        if above < self.count
            && below < self.count
            && let Some(cell) = self.reached.get_mut(above * self.count + below)
        {
            *cell = true;
        }
    }
}

/// One circle for each set of classes that all beat each other.
fn circles(count: usize, edges: &[(usize, usize)], beats: &Closure) -> Vec<OrderFault> {
    let mut done = vec![false; count];
    let mut faults = Vec::new();
    for class in 0..count {
        if done.get(class) == Some(&true) || !beats.holds(class, class) {
            continue;
        }
        for (other, seen) in done.iter_mut().enumerate() {
            *seen |= beats.holds(class, other) && beats.holds(other, class);
        }
        faults.push(OrderFault::Cycle(shortest_circle(class, count, edges)));
    }
    faults
}

/// The fewest edges that lead from a class back to itself: breadth first, edges in their given order.
fn shortest_circle(start: usize, count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut path_to: Vec<Option<Vec<usize>>> = vec![None; count];
    let mut frontier = vec![(start, Vec::new())];
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for (class, path) in frontier {
            for (index, (above, below)) in edges.iter().enumerate() {
                if *above != class || *below >= count {
                    continue;
                }
                let mut longer = path.clone();
                longer.push(index);
                if *below == start {
                    return longer;
                }
                if let Some(slot @ None) = path_to.get_mut(*below) {
                    *slot = Some(longer.clone());
                    next.push((*below, longer));
                }
            }
        }
        frontier = next;
    }
    Vec::new()
}

fn unordered(first: usize, second: usize, used: &[usize], beats: &Closure) -> OrderFault {
    let above: Vec<usize> = used.iter().copied().filter(|c| beats.holds(*c, first) && beats.holds(*c, second)).collect();
    let below: Vec<usize> = used.iter().copied().filter(|c| beats.holds(first, *c) && beats.holds(second, *c)).collect();
    OrderFault::Unordered {
        first,
        second,
        above_both: above.iter().copied().filter(|c| !above.iter().any(|d| beats.holds(*c, *d))).collect(),
        below_both: below.iter().copied().filter(|c| !below.iter().any(|d| beats.holds(*d, *c))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_ordered_best_first() {
        assert_eq!(order(3, &[(2, 0), (0, 1)], &[true; 3]), Ok(vec![2, 0, 1]));
    }

    #[test]
    fn paths_run_through_classes_that_are_not_in_use() {
        assert_eq!(order(3, &[(0, 1), (1, 2)], &[true, false, true]), Ok(vec![0, 2]));
    }

    #[test]
    fn an_unordered_pair_is_named_with_what_is_known_about_it() {
        // 0 beats 1 and 2, both beat 3: what lies between 1 and 2 is not said.
        let faults = order(4, &[(0, 1), (0, 2), (1, 3), (2, 3)], &[true; 4]).unwrap_err();
        assert_eq!(faults, vec![OrderFault::Unordered { first: 1, second: 2, above_both: vec![0], below_both: vec![3] }]);
    }

    #[test]
    fn a_pair_not_in_use_need_not_be_ordered() {
        assert_eq!(order(3, &[(0, 1), (0, 2)], &[true, true, false]), Ok(vec![0, 1]));
    }

    #[test]
    fn a_circle_is_given_by_its_edges() {
        let faults = order(3, &[(0, 1), (0, 2), (1, 2), (2, 1)], &[true; 3]).unwrap_err();
        assert_eq!(faults, vec![OrderFault::Cycle(vec![2, 3])]);
        assert_eq!(order(1, &[(0, 0)], &[true]).unwrap_err(), vec![OrderFault::Cycle(vec![0])]);
    }

    #[test]
    fn edges_to_nowhere_are_ignored() {
        assert_eq!(order(2, &[(0, 1), (7, 0)], &[true; 2]), Ok(vec![0, 1]));
    }
}
