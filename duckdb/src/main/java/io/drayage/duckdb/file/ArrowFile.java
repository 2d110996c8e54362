package io.drayage.duckdb.file;

import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Files of Arrow, with or without a footer: their first bytes tell, whatever their name. */
public final class ArrowFile {
  private static final String MAGIC = "ARROW1";
  private static final long MILLIS_OF_DAY = 86_400_000;
  private static final int DECIMAL_BITS = 128;

  private ArrowFile() {}

  /** Uses the batches of a file. */
  @FunctionalInterface
  public interface Use {
    /** Does so. */
    void read(ArrowReader batches) throws IOException;
  }

  /**
   * Reads a file.
   *
   * @throws TableException if it is damaged, or DuckDB would cut its values, naming the column
   */
  public static void read(Path file, BufferAllocator memory, Use use) throws IOException {
    boolean[] hasDates = new boolean[1];
    open(file, memory, batches -> hasDates[0] = check(file, batches));
    if (hasDates[0]) {
      open(file, memory, batches -> requireWholeDays(file, batches));
    }
    open(file, memory, use);
  }

  private static void open(Path file, BufferAllocator memory, Use use) throws IOException {
    try (FileChannel channel = FileChannel.open(file);
        ArrowReader batches =
            hasFooter(channel)
                ? new ArrowFileReader(channel, memory, CommonsCompressionFactory.INSTANCE)
                : new ArrowStreamReader(channel, memory, CommonsCompressionFactory.INSTANCE)) {
      use.read(batches);
    } catch (TableException e) {
      throw e;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // A damaged length may be of any size.
      throw new TableException(
          "%s: it is no Arrow IPC, or damaged: %s".formatted(file, firstLine(e)), e);
    }
  }

  private static String firstLine(Throwable e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  private static boolean hasFooter(FileChannel channel) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(MAGIC.length());
    while (start.hasRemaining() && channel.read(start) >= 0) {}
    channel.position(0);
    if (start.position() == 0) {
      throw new IOException("the file is empty");
    }
    return MAGIC.equals(new String(start.array(), StandardCharsets.US_ASCII));
  }

  /** Whether it has days that are counted in milliseconds. */
  private static boolean check(Path file, ArrowReader batches) throws IOException {
    List<Field> fields = batches.getVectorSchemaRoot().getSchema().getFields();
    SqlNames.requireDistinct(file + ": the columns", fields.stream().map(Field::getName).toList());
    boolean hasDates = false;
    for (Field field : fields) {
      ArrowType type = field.getType();
      boolean isUnknown =
          (type instanceof ArrowType.FloatingPoint real
                  && real.getPrecision() == FloatingPointPrecision.HALF)
              || (type instanceof ArrowType.Decimal decimal
                  && decimal.getBitWidth() > DECIMAL_BITS);
      if (isUnknown) {
        throw new TableException(
            "%s, column '%s': a cargo has no place for %s: write the file with a float of 32 bits, or a decimal of 128"
                .formatted(file, field.getName(), type));
      }
      hasDates |= type instanceof ArrowType.Date date && date.getUnit() == DateUnit.MILLISECOND;
    }
    return hasDates;
  }

  private static void requireWholeDays(Path file, ArrowReader batches) throws IOException {
    long before = 0;
    while (batches.loadNextBatch()) {
      for (FieldVector vector : batches.getVectorSchemaRoot().getFieldVectors()) {
        for (int i = 0; vector instanceof DateMilliVector days && i < days.getValueCount(); i++) {
          if (!days.isNull(i) && days.get(i) % MILLIS_OF_DAY != 0) {
            throw new TableException(
                String.format(
                    Locale.ROOT,
                    "%s, row %,d, column '%s': %,d milliseconds are no whole days: write the column as a timestamp",
                    file,
                    before + i + 1,
                    vector.getName(),
                    days.get(i)));
          }
        }
      }
      before += batches.getVectorSchemaRoot().getRowCount();
    }
  }
}
