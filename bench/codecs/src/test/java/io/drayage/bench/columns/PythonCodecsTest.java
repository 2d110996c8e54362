package io.drayage.bench.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class PythonCodecsTest {
  /** A Python with the packages, if that of the path lacks them. */
  private static final String PYTHON =
      System.getProperty("drayage.test.python", PythonCodecs.COMMAND);

  private static final int ROWS = 1_000;

  @TempDir private Path folder;

  /** Returns a program that prints an answer for each line that it reads, except the first. */
  private String program(String... answers) throws IOException {
    StringBuilder script = new StringBuilder("#!/bin/sh\n");
    for (int i = 0; i < answers.length; i++) {
      script.append(i == 0 ? "" : "read line\n").append("echo '%s'%n".formatted(answers[i]));
    }
    script.append("read line\necho 'what it died of' >&2\n");
    Path file = folder.resolve("python");
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file.toString();
  }

  private static ColumnSample numbers() throws IOException {
    return SampleColumns.of("n", ColumnValues.of(new long[][] {new long[ROWS]}), Long.MAX_VALUE);
  }

  @Test
  void tellsWhatPythonMeasuresAndWhatNot() throws Exception {
    String python =
        program(
            "{\"codecs\": [\"pcodec:4\"], \"versions\": {\"pcodec\": \"1.1\"}, \"missing\": {\"vortex\": \"is not installed\"}}",
            "{\"refused\": \"does not support int64\"}",
            "{\"refused\": null}",
            "{\"bytes\": 5, \"encodeNs\": 7, \"decodeNs\": 9}",
            "{\"same\": false}",
            "{\"error\": \"TypeError: no\"}");
    try (PythonCodecs codecs = new PythonCodecs(python)) {
      assertThat(codecs.versions()).containsExactly(Map.entry("pcodec", "1.1"));
      assertThat(codecs.missing()).containsExactly("vortex is not installed");
      Candidate pcodec = codecs.candidates().get(0);
      assertThat(pcodec.take(numbers())).isEqualTo("does not support int64");
      assertThat(pcodec.take(numbers())).isNull();
      assertThat(pcodec.pass(1)).isEqualTo(new Candidate.Pass(5, 7, 9));
      assertThatThrownBy(pcodec::verify).hasMessage("pcodec:4 decodes n to other values");
      assertThatThrownBy(() -> pcodec.pass(1)).hasMessage("pcodec:4: TypeError: no");
      assertThatThrownBy(() -> pcodec.pass(1)).hasMessage("Python ended: what it died of");
    }
  }

  @Test
  void namesWhatIsMissingWithoutPython() throws Exception {
    try (PythonCodecs codecs = new PythonCodecs("no-such-python")) {
      assertThat(codecs.candidates()).isEmpty();
      assertThat(codecs.missing())
          .containsExactly(
              "pcodec: there is no no-such-python", "vortex: there is no no-such-python");
    }
  }

  /** Measures the codecs if this Python has them; otherwise checks that they are named. */
  @Test
  void measuresWhatIsInstalled() throws Exception {
    try (PythonCodecs codecs = new PythonCodecs(PYTHON)) {
      List<ColumnSample> samples = new ArrayList<>();
      for (ColumnType type : ColumnType.values()) {
        samples.add(SampleColumns.of(type + "", column(type, false), Long.MAX_VALUE));
        samples.add(SampleColumns.of(type + " with nulls", column(type, true), Long.MAX_VALUE));
      }
      for (Candidate candidate : codecs.candidates()) {
        for (ColumnSample sample : samples) {
          String refused = candidate.take(sample);
          if (refused == null) {
            candidate.verify();
            assertThat(candidate.pass(2).bytes()).as(sample.name()).isPositive();
          } else {
            assertThat(refused).startsWith("does not support ");
          }
        }
      }
      assertThat(codecs.versions().size() + codecs.missing().size()).isEqualTo(2);
    }
  }

  private static ColumnValues column(ColumnType type, boolean withNulls) {
    ColumnBuilder column = new ColumnBuilder(type);
    for (int i = 0; i < ROWS; i++) {
      if (withNulls && i % 3 == 0) {
        column.addNull();
        continue;
      }
      switch (type) {
        case BOOLEAN -> column.addBoolean(i % 2 == 0);
        case BYTE -> column.addByte((byte) i);
        case SHORT -> column.addShort((short) i);
        case INT -> column.addInt(i);
        case LONG -> column.addLong(1L << 40 | i);
        case FLOAT -> column.addFloat(i % 5 == 0 ? Float.NaN : i / 4f);
        case DOUBLE -> column.addDouble(i % 5 == 0 ? -0.0 : i / 10.0);
        case STRING -> column.addString("ä" + i);
      }
    }
    return column.build();
  }
}
