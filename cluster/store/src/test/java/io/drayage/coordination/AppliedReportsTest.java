package io.drayage.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AppliedReportsTest {
  private static AppliedReports reports(AppliedReport... each) {
    AppliedReports reports = AppliedReports.NONE;
    for (AppliedReport report : each) {
      reports = reports.plus(report);
    }
    return reports;
  }

  @Test
  void twoNodesThatAgreeAreBelievedMoreThanTheLog() {
    AppliedReport one = new AppliedReport("t2", 7, 1, 2);
    AppliedReport other = new AppliedReport("w1", 7, 1, 2);

    assertThat(reports().expected(7, 1)).isEqualTo(1);
    assertThat(reports(one).expected(7, 1)).isEqualTo(1);
    assertThat(reports(one, one).expected(7, 1)).isEqualTo(1);
    assertThat(reports(one, other).expected(7, 1)).isEqualTo(2);
    assertThat(reports(one, other).expected(8, 1)).isEqualTo(1);
  }

  @Test
  void nodesThatDisagreeAreNot() {
    AppliedReport one = new AppliedReport("t2", 7, 1, 2);

    assertThat(reports(one, new AppliedReport("w1", 7, 1, 3)).expected(7, 1)).isEqualTo(1);
    assertThat(reports(one, new AppliedReport("w1", 8, 1, 2)).expected(7, 1)).isEqualTo(1);
    assertThat(reports(one, new AppliedReport("w1", 7, 4, 2)).expected(7, 1)).isEqualTo(1);
    assertThat(
            reports(one, new AppliedReport("w1", 7, 1, 2), new AppliedReport("w1", 7, 1, 5))
                .expected(7, 1))
        .isEqualTo(1);
  }

  @Test
  void theOldestAreForgotten() {
    AppliedReports reports = AppliedReports.NONE;
    for (int entry = 0; entry <= AppliedReports.MAX_REPORTS; entry++) {
      assertThat(reports.reports()).hasSize(entry);
      reports = reports.plus(new AppliedReport("t2", entry, 0, 1));
    }
    assertThat(reports.change()).isEqualTo(AppliedReports.MAX_REPORTS + 1);
    assertThat(reports.reports())
        .hasSize(AppliedReports.MAX_REPORTS)
        .startsWith(new AppliedReport("t2", 1, 0, 1));
  }
}
