package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnValues;
import io.drayage.codec.BulkValues;
import io.drayage.columnar.stream.Choice;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Facts;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the chooser loses in time because it estimates: by its own costs, with no clock, what it
 * chooses takes at most 5 % more in all, and 15 % more for almost any column, than the best of all
 * encodings when each has been tried.
 */
@Timeout(180)
class ChoiceTimeTest {
  private static final double MAX_REGRET = 0.05;
  private static final double MAX_REGRET_OF_COLUMN = 0.15;
  private static final int SEGMENT_BYTES = 1 << 20;

  /** Of columns of records that come back far away, of which a sample sees little. */
  private static final double MAX_REGRET_OF_FAR = 0.35;

  private static final Set<String> FAR_RECORDS = Set.of("REPEATED_RECORDS", "SHORT_RECORDS");

  /** A folder with columns as raw little-endian numbers, and their manifest. */
  private static final String FOLDER = "drayage.columns";

  @ParameterizedTest
  @EnumSource(names = {"BALANCED", "DENSE"})
  void choosesTheFastestOfGeneratedColumns(ColumnarMode mode) {
    Regret regret = new Regret(mode);
    for (ColumnShape shape : ColumnShape.values()) {
      regret.add(shape.name(), shape.column());
    }
    regret.check();
  }

  @ParameterizedTest
  @EnumSource(names = {"BALANCED", "DENSE"})
  void choosesTheFastestOfColumnsOfAFolder(ColumnarMode mode) throws IOException {
    String folder = System.getProperty(FOLDER);
    Assumptions.assumeTrue(folder != null, "needs a folder of columns: -D" + FOLDER + "=FOLDER");
    Regret regret = new Regret(mode);
    List<String> rows = Files.readAllLines(Path.of(folder, "manifest.csv"));
    for (String row : rows.subList(1, rows.size())) {
      String[] fields = row.split(",", 3);
      if (!fields[1].equals("string")) {
        byte[] bytes = Files.readAllBytes(Path.of(folder, fields[0] + ".bin"));
        regret.add(fields[0], column(fields[1], bytes));
      }
    }
    regret.check();
  }

  private static ColumnValues column(String type, byte[] bytes) {
    ByteBuffer source = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    Object page =
        switch (type) {
          case "int8" -> bytes;
          case "int16" -> shorts(source);
          case "int32" -> ints(source);
          case "int64" -> longs(source);
          case "float" -> floats(source);
          case "double" -> doubles(source);
          default -> throw new IllegalArgumentException("no type of numbers: " + type);
        };
    return ColumnShape.columnOf(page);
  }

  private static short[] shorts(ByteBuffer source) {
    short[] values = new short[source.remaining() / Short.BYTES];
    source.asShortBuffer().get(values);
    return values;
  }

  private static int[] ints(ByteBuffer source) {
    int[] values = new int[source.remaining() / Integer.BYTES];
    source.asIntBuffer().get(values);
    return values;
  }

  private static long[] longs(ByteBuffer source) {
    long[] values = new long[source.remaining() / Long.BYTES];
    source.asLongBuffer().get(values);
    return values;
  }

  private static float[] floats(ByteBuffer source) {
    float[] values = new float[source.remaining() / Float.BYTES];
    source.asFloatBuffer().get(values);
    return values;
  }

  private static double[] doubles(ByteBuffer source) {
    double[] values = new double[source.remaining() / Double.BYTES];
    source.asDoubleBuffer().get(values);
    return values;
  }

  /** What was lost in a mode. */
  private static final class Regret {
    private final ColumnarMode mode;
    private final StreamCodec codec;
    private final ByteBuffer target = EncodedStreams.buffer(SEGMENT_BYTES);
    private final List<String> losers = new ArrayList<>();
    private final List<String> report = new ArrayList<>();
    private double chosenNs;
    private double bestNs;

    Regret(ColumnarMode mode) {
      this.mode = mode;
      this.codec = new StreamCodec(ColumnarOptions.of(mode), EncodedStreams.zstd());
    }

    void add(String name, ColumnValues column) {
      int rows = (int) Math.min(column.rowCount(), SEGMENT_BYTES / column.type().widthBytes());
      ColumnRows values = new ColumnRows(column, 0, rows, null, new BulkValues());
      target.clear();
      EncodingTree chosen = codec.write(values, null, target, SEGMENT_BYTES + 64);
      Facts facts = new Facts();
      List<Choice> choices = codec.look(values, facts);
      String best = "none";
      double own = Double.MAX_VALUE;
      double least = Double.MAX_VALUE;
      for (Choice choice : choices) {
        double ns = ns(choice, values, facts);
        if (choice.encoding().name().equals(chosen.name())) {
          own = ns;
        }
        if (ns < least) {
          best = choice.encoding().name();
        }
        least = Math.min(least, ns);
      }
      double lost = own / least - 1;
      chosenNs += own;
      bestNs += least;
      report.add("%s: %s, best %s, lost %.1f %%".formatted(name, chosen, best, 100 * lost));
      if (lost > (FAR_RECORDS.contains(name) ? MAX_REGRET_OF_FAR : MAX_REGRET_OF_COLUMN)) {
        losers.add(report.get(report.size() - 1));
      }
    }

    private double ns(Choice choice, ColumnRows values, Facts facts) {
      target.clear();
      try {
        EncodingTree tree = codec.writeAs(choice.encoding(), values, facts, target);
        return tree == null
            ? Double.MAX_VALUE
            : choice.ns()
                + (tree.bytes() - choice.bytes())
                    * (1e9 / mode.bytesPerSecond() + choice.encoding().nsPerWrittenByte());
      } catch (BufferOverflowException e) {
        return Double.MAX_VALUE;
      }
    }

    void check() {
      assertThat(losers).as("%s, columns that lose too much", mode).isEmpty();
      assertThat(chosenNs / bestNs - 1)
          .as("%s, what all columns lose:%n%s", mode, String.join("\n", report))
          .isLessThanOrEqualTo(MAX_REGRET);
    }
  }
}
