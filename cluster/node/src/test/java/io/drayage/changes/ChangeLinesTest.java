package io.drayage.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.database.ForeignDatabaseException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ChangeLinesTest {
  private static String written(@Nullable Object... values) throws IOException {
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      columns.put("c" + i, values[i]);
    }
    StringWriter out = new StringWriter();
    ChangeLines.writeValues(columns, out);
    return out.toString();
  }

  @Test
  void longsThatADoubleCannotHoldAreText() throws IOException {
    long limit = (1L << 53) - 1;

    assertThat(written(limit, -limit, limit + 1, Long.MAX_VALUE, Long.MIN_VALUE, 7))
        .isEqualTo(
            "{\"c0\":9007199254740991,\"c1\":-9007199254740991,\"c2\":\"9007199254740992\","
                + "\"c3\":\"9223372036854775807\",\"c4\":\"-9223372036854775808\",\"c5\":7}");
  }

  @Test
  void numbersThatJsonLacksAreTextWithTheirBits() throws IOException {
    assertThat(
            written(
                Double.NaN,
                Double.longBitsToDouble(0x7ff8000000000001L),
                Float.NaN,
                Float.intBitsToFloat(0x7fc00001),
                Double.NEGATIVE_INFINITY,
                Float.POSITIVE_INFINITY,
                -0.0))
        .isEqualTo(
            "{\"c0\":\"NaN\",\"c1\":\"NaN(0x7ff8000000000001)\",\"c2\":\"NaN\","
                + "\"c3\":\"NaN(0x7fc00001)\",\"c4\":\"-Infinity\",\"c5\":\"Infinity\","
                + "\"c6\":-0.0}");
  }

  @Test
  void textIsAsciiEvenWithHalvesOfSurrogates() throws IOException {
    assertThat(written("ä\n\ud800", "", null, true))
        .isEqualTo("{\"c0\":\"\\u00E4\\n\\uD800\",\"c1\":\"\",\"c2\":null,\"c3\":true}");
  }

  @Test
  void aFileOfAnotherDatabaseIsRefusedAndKept(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("changes.jsonl");
    UUID own = new UUID(5, 6);
    try (ChangeFile file = ChangeFile.open(path)) {
      file.requireOf(own); // The file is empty.
      ChangeLines.start(own, 123_456_789_012_345_678L, file.writer());
      file.sync();
    }
    byte[] before = Files.readAllBytes(path);
    try (ChangeFile file = ChangeFile.open(path)) {
      assertThat(file.position()).isEqualTo(123_456_789_012_345_678L);
      file.requireOf(own);
      assertThatExceptionOfType(ForeignDatabaseException.class)
          .isThrownBy(() -> file.requireOf(new UUID(7, 8)))
          .withMessage(
              "%s holds changes of database %s, and this is database %s: name another file",
              path, own, new UUID(7, 8));
    }
    assertThat(path).hasBinaryContent(before);
  }
}
