package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.arrow.ArrowColumns;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Arrow files with or without a footer, as their first bytes show, and not their names. */
public final class ArrowFile {
  private static final String MAGIC = "ARROW1";
  private static final String FEATHER_1 = "FEA1";
  private static final int START_BYTES = 8;

  /** Precedes the length, except in old versions of the format. */
  private static final int CONTINUED = -1;

  private ArrowFile() {}

  /** Uses the batches of a file. */
  public interface Use {
    /** Uses the batches. */
    void read(ArrowReader batches) throws IOException;
  }

  /**
   * Reads a file.
   *
   * @throws TableException if it is damaged, or DuckDB would change values, with the column
   */
  public static void read(Path file, BufferAllocator memory, Use use) throws IOException {
    boolean[] mayChange = new boolean[1];
    open(file, memory, batches -> mayChange[0] = check(file, batches));
    if (mayChange[0]) {
      open(file, memory, batches -> requireUnchanged(file, batches));
    }
    open(file, memory, use);
  }

  private static void open(Path file, BufferAllocator memory, Use use) throws IOException {
    ArrowBatchCheck check = new ArrowBatchCheck(file);
    try (FileChannel channel = FileChannel.open(file);
        ArrowReader batches =
            hasFooter(channel)
                ? new CheckedFile(channel, memory, check)
                : new CheckedStream(channel, memory, check)) {
      use.read(batches);
    } catch (TableException e) {
      throw check.failure() == null ? e : check.failure();
    } catch (OutOfMemoryError e) {
      // A damaged length may have any value. No memory was lost, so the error is not fatal.
      throw damaged(file, e, null);
    } catch (IOException | RuntimeException e) {
      throw check.failure() == null ? damaged(file, e, e) : check.failure();
    }
  }

  /** A file with a footer. */
  private static final class CheckedFile extends ArrowFileReader {
    private final ArrowBatchCheck check;

    /** The dictionaries of the batches that were read. */
    private final List<Long> read = new ArrayList<>();

    CheckedFile(FileChannel channel, BufferAllocator memory, ArrowBatchCheck check) {
      super(channel, memory, CommonsCompressionFactory.INSTANCE);
      this.check = check;
    }

    @Override
    protected void loadDictionary(ArrowDictionaryBatch batch) {
      if (read.contains(batch.getDictionaryId()) && !batch.isDelta()) {
        batch.close();
        throw new IllegalArgumentException(
            format("it has two dictionaries %d, as only a stream may", batch.getDictionaryId()));
      }
      read.add(batch.getDictionaryId());
      super.loadDictionary(batch);
      check.loaded(batch.getDictionaryId());
    }

    @Override
    public boolean loadNextBatch() throws IOException {
      // Arrow reads only as many batches of dictionaries as there are dictionaries.
      while (read.size() < getDictionaryBlocks().size()) {
        loadDictionary(readDictionary());
      }
      boolean isLoaded = super.loadNextBatch();
      if (isLoaded) {
        check.require(this);
      }
      return isLoaded;
    }
  }

  /** A stream, which must have an end mark and end there. */
  private static final class CheckedStream extends ArrowStreamReader {
    private final ArrowBatchCheck check;

    CheckedStream(FileChannel channel, BufferAllocator memory, ArrowBatchCheck check) {
      super(messages(channel, memory, check), memory, CommonsCompressionFactory.INSTANCE);
      this.check = check;
    }

    private static MessageChannelReader messages(
        FileChannel channel, BufferAllocator memory, ArrowBatchCheck check) {
      return new MessageChannelReader(new ReadChannel(channel), memory) {
        @Override
        public @Nullable MessageResult readNext() throws IOException {
          check.requireNext(channel);
          MessageResult message = super.readNext();
          if (message == null) {
            check.requireEnd(channel);
          }
          return message;
        }
      };
    }

    @Override
    protected void loadDictionary(ArrowDictionaryBatch batch) {
      super.loadDictionary(batch);
      check.loaded(batch.getDictionaryId());
    }

    @Override
    public boolean loadNextBatch() throws IOException {
      boolean isLoaded = super.loadNextBatch();
      if (isLoaded) {
        check.require(this);
      }
      return isLoaded;
    }
  }

  private static TableException damaged(Path file, Throwable e, @Nullable Throwable cause) {
    return new TableException(
        "%s: it is no Arrow IPC, or damaged: %s".formatted(file, firstLine(e)), cause);
  }

  private static String firstLine(Throwable e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  /**
   * Whether the file has a footer, by its first bytes.
   *
   * @throws IOException if the file is not Arrow
   */
  private static boolean hasFooter(FileChannel channel) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(START_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (start.hasRemaining() && channel.read(start) >= 0) {}
    channel.position(0);
    if (start.position() == 0) {
      throw new IOException("the file is empty");
    }
    String text = new String(start.array(), StandardCharsets.US_ASCII);
    if (text.startsWith(FEATHER_1)) {
      throw new IOException("it is Feather of version 1: write version 2, which is Arrow IPC");
    }
    // A stream begins with the length of its first message.
    int length = start.getInt(start.getInt(0) == CONTINUED ? Integer.BYTES : 0);
    if (!text.startsWith(MAGIC) && (length < 0 || length > channel.size())) {
      throw new IOException("it does not begin like Arrow");
    }
    return text.startsWith(MAGIC);
  }

  /**
   * Checks the types.
   *
   * @return whether DuckDB may change values
   */
  private static boolean check(Path file, ArrowReader batches) throws IOException {
    List<Field> fields = fields(file, batches);
    SqlNames.requireDistinct(file + ": the columns", fields.stream().map(Field::getName).toList());
    boolean mayChange = false;
    for (Field field : fields) {
      for (Field part : ArrowValues.parts(field, batches).toList()) {
        ArrowType type = part.getType();
        String other = ArrowValues.insteadOf(type);
        if (!other.isEmpty()) {
          throw new TableException(
              "%s, column '%s': a cargo cannot hold %s: write the file with %s"
                  .formatted(file, field.getName(), type, other));
        }
        mayChange |= ArrowValues.mayChange(type);
      }
    }
    return mayChange;
  }

  private static List<Field> fields(Path file, ArrowReader batches) throws IOException {
    List<Field> fields;
    try {
      fields = batches.getVectorSchemaRoot().getSchema().getFields();
    } catch (IllegalArgumentException e) {
      if (String.valueOf(e.getMessage()).contains("only supports 128-bit")) {
        throw new TableException(
            file + ": decimals of 32 or 64 bits are not read: write the file with those of 128", e);
      }
      throw e;
    }
    if (fields.isEmpty()) {
      throw new TableException(file + ": it has no column");
    }
    return fields;
  }

  /**
   * Checks all texts and timestamps of a file that DuckDB refuses, because DuckDB does not name the
   * wrong value.
   *
   * @throws TableException if a text is not UTF-8, or microseconds cannot express a timestamp, with
   *     column and row
   */
  public static void requireReadable(Path file, BufferAllocator memory) throws IOException {
    open(
        file,
        memory,
        batches -> {
          long before = 0;
          while (batches.loadNextBatch()) {
            for (FieldVector vector : batches.getVectorSchemaRoot().getFieldVectors()) {
              requireTexts(file, vector, before);
              requireMoments(file, vector, before);
            }
            before += batches.getVectorSchemaRoot().getRowCount();
          }
        });
  }

  private static void requireTexts(Path file, FieldVector vector, long before)
      throws TableException {
    try {
      if (vector instanceof VarCharVector || vector instanceof LargeVarCharVector) {
        ColumnValues unused = ArrowColumns.copyOf(vector);
      }
    } catch (IllegalTextException e) {
      String where = "%s, column '%s'".formatted(file, vector.getName());
      throw new TableException(e.in(where, before + 1).getMessage(), e);
    }
  }

  private static void requireMoments(Path file, FieldVector vector, long before)
      throws TableException {
    if (!(vector instanceof TimeStampVector moments
        && vector.getField().getType() instanceof ArrowType.Timestamp type
        && type.getTimezone() != null)) {
      return;
    }
    long micros =
        switch (type.getUnit()) {
          case SECOND -> 1_000_000;
          case MILLISECOND -> 1_000;
          default -> 1;
        };
    long most = Long.MAX_VALUE / micros;
    for (int i = 0; i < moments.getValueCount(); i++) {
      if (!moments.isNull(i) && (moments.get(i) > most || moments.get(i) < -most)) {
        throw new TableException(
            format(
                "%s, row %,d, column '%s': %d %ss since 1970 is no TIMESTAMP WITH TIME ZONE",
                file,
                before + i + 1,
                vector.getName(),
                moments.get(i),
                type.getUnit().name().toLowerCase(Locale.ROOT)));
      }
    }
  }

  private static void requireUnchanged(Path file, ArrowReader batches) throws IOException {
    long before = 0;
    while (batches.loadNextBatch()) {
      for (FieldVector vector : batches.getVectorSchemaRoot().getFieldVectors()) {
        if (ArrowValues.parts(vector.getField(), batches)
            .noneMatch(part -> ArrowValues.mayChange(part.getType()))) {
          continue;
        }
        for (int i = 0; i < vector.getValueCount(); i++) {
          String misfit = ArrowValues.misfit(vector, i, batches);
          if (!misfit.isEmpty()) {
            throw new TableException(
                format("%s, row %,d, column '%s': ", file, before + i + 1, vector.getName())
                    + misfit);
          }
        }
      }
      before += batches.getVectorSchemaRoot().getRowCount();
    }
  }
}
