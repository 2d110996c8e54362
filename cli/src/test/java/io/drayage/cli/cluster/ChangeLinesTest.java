package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
}
