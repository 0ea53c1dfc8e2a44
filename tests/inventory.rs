//! The inventory is without fault, and its light scan sees what a full reading sees.

#![allow(clippy::unwrap_used, reason = "a test may stop at any surprise")]

use hoyle::conformance::inventory::Inventory;

#[test]
fn the_light_scan_finds_what_a_full_reading_finds() {
    let inventory = Inventory::embedded();
    let (statements, faults) = inventory.statements();
    assert_eq!(faults, []);
    assert!(statements.len() > 1000);
    let mut ids: Vec<&str> = statements.iter().map(|statement| statement.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(inventory.ids().collect::<Vec<&str>>(), ids);
    for statement in &statements {
        assert_eq!(inventory.statement(&statement.id).as_ref(), Some(statement));
    }
    assert!(!inventory.contains("foster.rank"));
}

#[test]
fn a_statement_is_cited_by_its_place() {
    let inventory = Inventory::embedded();
    let cited = |id: &str| inventory.statement(id).unwrap().cited();
    insta::assert_snapshot!(cited("foster.rank.order"), @"Foster, Rank of the Hands, para 1");
    insta::assert_snapshot!(cited("hoffmann.poker.pack-52"), @"Hoffmann, POKER, p. 120");
}

#[test]
fn faults_of_an_inventory_on_disk_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let entry = "- id: foster.a.b\n  where: {file: f, heading: H, para: 1}\n  kind: rule\n  force: must\n  says: It is so.\n";
    std::fs::write(dir.path().join("one.yaml"), format!("{entry}\n{entry}\n- kind: rule\n  id: foster.a.c\n")).unwrap();
    let (inventory, faults) = Inventory::from_dir(dir.path()).unwrap();
    assert!(inventory.contains("foster.a.b"));
    let messages: Vec<String> = faults
        .iter()
        .map(|fault| {
            let span = fault.labels[0].span;
            format!("{}: {}", inventory.sources().line_column(span.file, span.start).0, fault.message)
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
    assert!(Inventory::from_dir(&dir.path().join("none")).is_err());
}
