//! Whether a printed figure is the exact one, or the exact one rounded. Clause 7.13. Integers only.

/// How a printed figure stands to the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// It is exact.
    Agrees,
    /// Each printed number is the exact one, rounded up or down in a common unit.
    Rounding,
    Disagrees,
}

impl Agreement {
    pub fn word(self) -> &'static str {
        match self {
            Agreement::Agrees => "agrees",
            Agreement::Rounding => "rounding",
            Agreement::Disagrees => "disagrees",
        }
    }
}

/// A printed number of hands.
pub fn count_agrees(printed: i64, exact: u64) -> Agreement {
    if u64::try_from(printed) == Ok(exact) { Agreement::Agrees } else { Agreement::Disagrees }
}

/// A printed `a to b` for two exact numbers of hands.
pub fn ratio_agrees(printed: (i64, i64), exact: (u64, u64)) -> Agreement {
    let (a, b) = (i128::from(printed.0), i128::from(printed.1));
    let (first, second) = (i128::from(exact.0), i128::from(exact.1));
    if a < 0 || b <= 0 || (first == 0 && second == 0) {
        return Agreement::Disagrees;
    }
    if a * second == b * first {
        return Agreement::Agrees;
    }
    // The first number rounded, the second as printed: |a − first · b / second| < 1.
    let nearly = (a * second - first * b).abs() < second;
    if nearly || (b > 1 && common_unit(a, b, first, second)) { Agreement::Rounding } else { Agreement::Disagrees }
}

/// Whether some unit u has |first/u − a| < 1 and |second/u − b| < 1.
fn common_unit(a: i128, b: i128, first: i128, second: i128) -> bool {
    // Each condition is an open interval of u: exact/(printed+1) < u < exact/(printed−1), without upper end if printed is 1 or less.
    let below = |exact: i128, printed: i128| (exact, printed + 1);
    let above = |exact: i128, printed: i128| (printed > 1).then_some((exact, printed - 1));
    let less = |(p, q): (i128, i128), (r, s): (i128, i128)| p * s < r * q;
    let uppers = [above(first, a), above(second, b)];
    [below(first, a), below(second, b)].into_iter().all(|low| uppers.into_iter().flatten().all(|high| less(low, high)))
}

/// A ratio in lowest terms.
pub fn reduced(ratio: (u64, u64)) -> (u64, u64) {
    let (mut a, mut b) = ratio;
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (ratio.0.checked_div(a).unwrap_or(0), ratio.1.checked_div(a).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: u64 = 2_598_960;

    fn against(printed: (i64, i64), with: u64) -> Agreement {
        ratio_agrees(printed, (ALL - with, with))
    }

    #[test]
    fn an_exact_figure_agrees() {
        assert_eq!(against((4164, 1), 624), Agreement::Agrees);
        assert_eq!(ratio_agrees((2, 4), (1, 2)), Agreement::Agrees);
        assert_eq!(count_agrees(624, 624), Agreement::Agrees);
        assert_eq!(count_agrees(625, 624), Agreement::Disagrees);
    }

    #[test]
    fn one_rounded_number_lies_within_one() {
        // Exactly 693.2 and 507.8 to 1.
        assert_eq!(against((693, 1), 3744), Agreement::Rounding);
        assert_eq!(against((508, 1), 5108), Agreement::Rounding);
        assert_eq!(against((507, 1), 5108), Agreement::Rounding);
        assert_eq!(against((506, 1), 5108), Agreement::Disagrees);
        assert_eq!(against((509, 1), 5108), Agreement::Disagrees);
        assert_eq!(against((510, 1), 5108), Agreement::Disagrees);
    }

    #[test]
    fn two_rounded_numbers_need_one_unit() {
        assert_eq!(ratio_agrees((13, 10), (1_500_720, 1_098_240)), Agreement::Rounding);
        // 408 hands to 5108 printed as 408 to 510: tens of the second, ones of the first.
        assert_eq!(ratio_agrees((408, 510), (4080, 5108)), Agreement::Rounding);
        assert_eq!(ratio_agrees((408, 500), (4080, 5108)), Agreement::Disagrees);
    }

    #[test]
    fn nothing_is_in_no_proportion() {
        assert_eq!(ratio_agrees((1, 1), (0, 0)), Agreement::Disagrees);
        assert_eq!(ratio_agrees((5, 1), (5, 0)), Agreement::Disagrees);
        assert_eq!(ratio_agrees((i64::MAX, i64::MAX), (u64::MAX, u64::MAX)), Agreement::Agrees);
        assert_eq!(reduced((6, 4)), (3, 2));
        assert_eq!(reduced((0, 0)), (0, 0));
    }
}
