package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.codec.Serializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Common parts of the tests of serializers of whole cargoes. */
public final class SerializerChecks {
  public static final long MAX_BYTES = 100 << 20;

  private static final Path GOLDEN = Path.of("src", "test", "resources", "golden", "serializer");

  private SerializerChecks() {}

  public static byte[] bytes(Serializer serializer, ChangeCargo cargo) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StreamSerializer.write(serializer, cargo, bytes);
    return bytes.toByteArray();
  }

  public static ChangeCargo read(Serializer serializer, byte[] bytes, long maxBytes)
      throws IOException {
    return StreamSerializer.read(serializer, new ByteArrayInputStream(bytes), maxBytes);
  }

  /** Checks that the bytes of {@link #goldenCargo} have not changed. */
  public static void assertGolden(Serializer serializer) throws IOException {
    Path file = GOLDEN.resolve(format("%d-%s.cargo", serializer.id(), serializer.name()));
    byte[] written = bytes(serializer, goldenCargo());
    if (Boolean.getBoolean("drayage.golden.write") && !Files.exists(file)) {
      Files.createDirectories(GOLDEN);
      Files.write(file, written);
    }
    assertThat(file).as("write it with -Ddrayage.golden.write=true").exists();
    byte[] golden = Files.readAllBytes(file);
    assertThat(written).as(file.toString()).isEqualTo(golden);
    assertThat(CargoDigest.of(read(serializer, golden, MAX_BYTES)))
        .as(file.toString())
        .isEqualTo(CargoDigest.of(goldenCargo()));
  }

  private static ChangeCargo goldenCargo() {
    RowBits deleted = new RowBits(70);
    deleted.set(0);
    deleted.set(69);
    ChangeCargo random = RandomCargo.of(42, 5);
    ChangeCargo.Builder builder =
        ChangeCargo.builder(new UUID(Long.MIN_VALUE, -1), Long.MAX_VALUE)
            .table("extremes", table -> extremes(table).delete(deleted));
    for (var table : random.tables()) {
      builder.table(
          table.table(),
          changes -> {
            table.insertedColumns().forEach(in -> changes.insert(in.column(), in.values()));
            table.updates().forEach(up -> changes.update(up.column(), up.rowIds(), up.values()));
          });
    }
    return builder.build();
  }

  private static ChangeCargo.TableChangesBuilder extremes(ChangeCargo.TableChangesBuilder table) {
    return table
        .insert("boolean", ColumnValues.of(new boolean[][] {{true, false}, {true}}))
        .insert("byte", ColumnValues.of(new byte[][] {{-128, 127}, {0}}))
        .insert("short", ColumnValues.of(new short[][] {{-32_768, 32_767}, {0}}))
        .insert("int", ColumnValues.of(new int[][] {{Integer.MIN_VALUE, Integer.MAX_VALUE}, {-1}}))
        .insert("long", ColumnValues.of(new long[][] {{Long.MIN_VALUE, Long.MAX_VALUE}, {-1}}))
        .insert("float", ColumnValues.of(new float[][] {{-0.0f, Float.MIN_VALUE}, {Float.NaN}}))
        .insert("double", ColumnValues.of(new double[][] {{-0.0, Double.MIN_VALUE}, {Double.NaN}}))
        .insert("text", ColumnValues.ofTexts(new String[][] {{"", null}, {"aä汉😀"}}))
        .insert("spare", ColumnValues.of(new int[][] {{1, 2}, {3, 4}}, 3, RowBits.allSet(3)));
  }
}
