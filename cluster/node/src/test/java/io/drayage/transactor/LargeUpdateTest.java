package io.drayage.transactor;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnValues;
import io.drayage.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Row ids of a change are never made all at once. */
@Tag("nightly")
@Timeout(240)
class LargeUpdateTest {
  private static final int PAGES = 64;
  private static final long DEADLINE_S = 200;

  @TempDir private Path folder;

  /** 128 MiB of row ids, 32 of each column, beside two databases of 16 MiB. */
  @Test
  void isAuditedAndFollowedInLessMemoryThanItsRowIdsTake() throws Exception {
    String said =
        ChildJvm.run(
            folder,
            DEADLINE_S,
            List.of("-Xmx72m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"),
            LargeUpdateMain.class,
            folder.toString(),
            Integer.toString(PAGES));

    long rows = (long) PAGES * ColumnValues.DEFAULT_ROWS_PER_PAGE;
    assertThat(said)
        .contains("audited\n")
        .contains(format("\"row\":%d,\"values\":{\"c0\":0,\"c1\":0,\"c2\":0,\"c3\":0}", rows - 1))
        .contains(format("\"rows\":%d}", rows))
        .contains(format("\"inserted\":0,\"updated\":%d,\"deleted\":0", 4 * rows));
  }
}
