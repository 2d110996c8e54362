package io.drayage.duckdb;

import static io.drayage.duckdb.Imported.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SqlTextTest {
  @Test
  void cutsAtSemicolonsOutsideOfTextsNamesAndComments() {
    assertStatements("select 1; select 2", "select 1", "select 2");
    assertStatements(" select 1 ;; ; \n", "select 1");
    assertStatements("select 1; -- select 2; select 3", "select 1");
    assertStatements(
        "-- a; b\nselect 1 /* c; /* d; */ e; */ ; /* f */",
        "-- a; b\nselect 1 /* c; /* d; */ e; */");
    assertStatements(
        "select ';', 'it''s;', \"a;\"\"b\"; x", "select ';', 'it''s;', \"a;\"\"b\"", "x");
    assertStatements(
        "select $$a;b$$, $t$ c; $$ d; $t$; x", "select $$a;b$$, $t$ c; $$ d; $t$", "x");
    assertStatements("select E'a\\';b'; x", "select E'a\\';b'", "x");
    assertStatements("select 'a\\'; x", "select 'a\\'", "x");
    assertStatements("select a$b$ ; x; c$b$", "select a$b$", "x", "c$b$");
    assertStatements("select 'open; x", "select 'open; x");
    assertStatements("select 1 - -2; x", "select 1 - -2", "x");
    assertStatements("-- nothing");
    assertStatements("/* open; x");
    assertStatements("");
  }

  private static void assertStatements(String sql, String... statements) {
    assertThat(SqlText.statements(sql)).as(sql).containsExactly(statements);
  }

  @Test
  void readsLongTextsWithoutRecursion() {
    String text = "'" + "a''".repeat(200_000) + "'";
    assertThat(SqlText.statements("select " + text + "; x")).hasSize(2);
  }

  @Test
  void aTableIsOneStatement() throws Exception {
    assertThat(SqlText.only("t", "select 1;  -- one")).isEqualTo("select 1");
    assertThat(SqlText.only("t", "select 'it\\'s; a' from `b;c`"))
        .isEqualTo("select 'it\\'s; a' from `b;c`");
    assertRefused(
        () -> SqlText.only("t", "select 1; select ';'"),
        "--select t: a table is one statement, not 2: 'select 1' and 'select ';''");
    assertRefused(() -> SqlText.only("t", "; -- none"), "--select t: there is no statement");
  }
}
