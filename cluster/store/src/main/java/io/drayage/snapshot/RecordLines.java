package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.ObjectDigest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * Writes and reads records, such as manifests: lines of words, always in the same order. The last
 * line has the CRC32C of all lines before it. Not thread-safe.
 */
public final class RecordLines {
  /** Writes numbers that are not decimal. */
  public static final HexFormat HEX = HexFormat.of();

  private static final int WORDS_PER_LINE = 16;

  /** The beginning of the last line. */
  private static final byte[] END = {'e', 'n', 'd', ' '};

  private static final Pattern SPACE = Pattern.compile("\\s");

  private final String[] lines;
  private int next;

  private RecordLines(String text) {
    lines = text.split("\n", -1);
  }

  /** The next line. */
  public String next() {
    if (next == lines.length - 1) {
      throw new IllegalArgumentException("it ends after line " + next);
    }
    return lines[next++];
  }

  /** Whether the next line has this name. */
  public boolean isNext(String name) {
    return lines[next].startsWith(name + " ");
  }

  /** The words of the next line, the first of which must be {@code name}. */
  public String[] words(String name, int count) {
    return words(name, count, -1);
  }

  /** The words of the next line, the last of which may contain spaces. */
  String[] wordsAndText(String name, int count) {
    return words(name, count, count);
  }

  private String[] words(String name, int count, int limit) {
    String[] words = next().split(" ", limit);
    if (words.length != count || !words[0].equals(name)) {
      throw new IllegalArgumentException(
          format("line %d is not a '%s' of %d words", next, name, count));
    }
    return words;
  }

  /** The only word of the next line of this name. */
  public String word(String name) {
    return words(name, 2)[1];
  }

  /** Fails if there is another line. */
  public void requireEnd() {
    if (next != lines.length - 1 || !lines[next].isEmpty()) {
      throw new IllegalArgumentException(format("unexpected line %d", next + 1));
    }
  }

  /**
   * Opens a record. Checks and removes its last line.
   *
   * @throws IllegalArgumentException if that line is wrong
   */
  public static RecordLines open(String text) {
    int end = text.lastIndexOf("\nend ") + 1;
    String stated = text.substring(end);
    int computed = checksum(text.substring(0, end));
    // Exactly, because other records may refer to the checksum of the whole text.
    if (!stated.equals("end " + HEX.toHexDigits(computed) + "\n")) {
      throw new IllegalArgumentException(
          format(
              "its checksum is %08x, its last line '%s'",
              computed, stated.substring(0, Math.min(stated.length(), 20)).strip()));
    }
    return new RecordLines(text.substring(0, end));
  }

  /**
   * Splits records that are stored one after the other. The last piece is what follows the last
   * complete record, if anything does.
   */
  static List<ByteBuffer> split(ByteBuffer records) {
    List<ByteBuffer> pieces = new ArrayList<>();
    ByteBuffer rest = records.duplicate();
    do {
      int end = endOfRecord(rest);
      pieces.add(rest.slice(rest.position(), end - rest.position()));
      rest.position(end);
    } while (rest.hasRemaining());
    return pieces;
  }

  /** The position after the line that ends the next record; the limit if there is none. */
  private static int endOfRecord(ByteBuffer records) {
    int line = records.position();
    for (int at = line; at < records.limit(); at++) {
      if (records.get(at) == '\n') {
        if (isEnd(records, line)) {
          return at + 1;
        }
        line = at + 1;
      }
    }
    return records.limit();
  }

  private static boolean isEnd(ByteBuffer records, int line) {
    return line + END.length <= records.limit()
        && records.slice(line, END.length).equals(ByteBuffer.wrap(END));
  }

  /** Returns the record, with its last line. */
  public static ByteBuffer close(StringBuilder text) {
    line(text, "end", HEX.toHexDigits(checksum(text.toString())));
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a line of these words. */
  public static void line(StringBuilder text, String name, Object... words) {
    text.append(name);
    for (Object word : words) {
      text.append(' ').append(word);
    }
    text.append('\n');
  }

  /** Converts a name into one word. */
  public static String oneWord(String name) {
    return SPACE.matcher(name).replaceAll("_");
  }

  /** Adds a table and its columns. The names may contain spaces, but no line breaks. */
  static void addTable(StringBuilder text, TableSchema table) {
    text.append("table ").append(table.name()).append('\n');
    for (ColumnSchema column : table.columns()) {
      text.append("column ").append(column.type().id());
      text.append(column.nullable() ? " 1 " : " 0 ").append(column.name()).append('\n');
    }
  }

  /** Reads a table that {@link #addTable} has added. */
  TableSchema table() {
    String name = wordsAndText("table", 2)[1];
    List<ColumnSchema> columns = new ArrayList<>();
    while (isNext("column")) {
      String[] words = wordsAndText("column", 4);
      ColumnType type = ColumnType.ofId(Integer.parseInt(words[1]));
      boolean nullable = words[2].equals("1");
      if (!nullable && !words[2].equals("0")) {
        throw new IllegalArgumentException(format("line %d: nulls '%s'", next, words[2]));
      }
      columns.add(new ColumnSchema(words[3], type, nullable));
    }
    return new TableSchema(name, columns);
  }

  /** Adds cargoes, and before them the names of their workers, each once. Cargoes refer to them. */
  public static void addCargoes(StringBuilder text, List<SnapshotContents> cargoes) {
    Map<String, Integer> workers = new HashMap<>();
    for (SnapshotContents cargo : cargoes) {
      String name = oneWord(cargo.header().worker());
      if (workers.putIfAbsent(name, workers.size()) == null) {
        line(text, "worker", name);
      }
    }
    for (SnapshotContents cargo : cargoes) {
      addCargo(text, cargo, workers.get(oneWord(cargo.header().worker())));
    }
  }

  private static void addCargo(StringBuilder text, SnapshotContents contents, Integer worker) {
    ShipmentHeader header = contents.header();
    line(
        text,
        "cargo",
        header.transactionId(),
        header.baseSnapshot(),
        header.pipeline().name().toLowerCase(Locale.ROOT),
        header.serializerId(),
        header.compressorId(),
        worker);
    line(text, "seal", contents.seal().frameCount(), HEX.toHexDigits(contents.seal().digest()));
    ByteBuffer few = contents.data().inManifest();
    if (few == null) {
      addBytes(text, "data", contents.data());
    } else {
      byte[] bytes = new byte[few.remaining()];
      few.duplicate().get(bytes);
      text.append("bytes ").append(Base64.getEncoder().encodeToString(bytes)).append('\n');
    }
    FrameIndex frames = contents.frames();
    if (frames != null) {
      addFrames(text, frames);
    }
  }

  private static void addFrames(StringBuilder text, FrameIndex frames) {
    addInLines(
        text,
        "frames",
        frames.blockCount(),
        block -> format(" %d+%d", frames.firstFrame(block), frames.offset(block)));
    if (frames.startCount() > 0) {
      line(text, "stride", frames.stride());
      addInLines(
          text,
          "starts",
          frames.startCount(),
          i -> " " + (i == 0 ? frames.start(0) : frames.start(i) - frames.start(i - 1)));
    }
  }

  /** Adds the key and digest of an object. */
  static void addBytes(StringBuilder text, String name, StoredBytes bytes) {
    ObjectDigest digest = bytes.digest();
    line(text, name, bytes.key(), digest.bytes());
    addInLines(
        text,
        "blocks",
        digest.blockCount(),
        block -> " " + HEX.toHexDigits(digest.checksum(block)));
  }

  /** Adds a word for each block or frame. */
  private static void addInLines(
      StringBuilder text, String name, int count, IntFunction<String> word) {
    for (int i = 0; i < count; i++) {
      text.append(i % WORDS_PER_LINE == 0 ? name : "").append(word.apply(i));
      if (i % WORDS_PER_LINE == WORDS_PER_LINE - 1 || i == count - 1) {
        text.append('\n');
      }
    }
  }

  private static int checksum(String text) {
    return ObjectDigest.checksum(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Parses an id exactly; {@link UUID#fromString} also accepts other texts. */
  public static UUID uuid(String word) {
    UUID id = UUID.fromString(word);
    if (!id.toString().equals(word)) {
      throw new IllegalArgumentException("'%s' is no id".formatted(word));
    }
    return id;
  }

  /** Reads cargoes that {@link #addCargoes} has added. */
  public List<SnapshotContents> cargoes() {
    List<String> workers = new ArrayList<>();
    while (isNext("worker")) {
      workers.add(word("worker"));
    }
    List<SnapshotContents> cargoes = new ArrayList<>();
    while (isNext("cargo")) {
      cargoes.add(cargo(workers));
    }
    return cargoes;
  }

  private SnapshotContents cargo(List<String> workers) {
    String[] cargo = words("cargo", 7);
    int worker = Integer.parseInt(cargo[6]);
    if (worker < 0 || worker >= workers.size()) {
      throw new IllegalArgumentException(
          format("line %d: worker %d of %d named workers", next, worker, workers.size()));
    }
    ShipmentHeader header =
        new ShipmentHeader(
            UUID.fromString(cargo[1]),
            Long.parseLong(cargo[2]),
            Pipeline.valueOf(cargo[3].toUpperCase(Locale.ROOT)),
            Integer.parseInt(cargo[4]),
            Integer.parseInt(cargo[5]),
            CommitOptions.DEFAULT, // The options are not stored, because the cargo is committed.
            workers.get(worker));
    String[] seal = words("seal", 3);
    StoredBytes data =
        isNext("bytes")
            ? StoredBytes.inManifest(
                header.transactionId(), ByteBuffer.wrap(Base64.getDecoder().decode(word("bytes"))))
            : bytes("data");
    return new SnapshotContents(
        data,
        header,
        new Seal(Long.parseLong(seal[1]), Long.parseUnsignedLong(seal[2], 16)),
        isNext("frames") ? frames() : null);
  }

  private FrameIndex frames() {
    List<String> words = wordsOfLines("frames");
    int[] firsts = new int[words.size()];
    int[] offsets = new int[words.size()];
    for (int block = 0; block < firsts.length; block++) {
      String[] numbers = words.get(block).split("\\+", -1);
      if (numbers.length != 2) {
        throw new IllegalArgumentException(
            format("line %d: '%s' is not the begin of a frame", next, words.get(block)));
      }
      firsts[block] = Integer.parseInt(numbers[0]);
      offsets[block] = Integer.parseInt(numbers[1]);
    }
    if (!isNext("stride")) {
      return new FrameIndex(firsts, offsets, 1); // By an earlier version.
    }
    int stride = Integer.parseInt(word("stride"));
    long[] starts = wordsOfLines("starts").stream().mapToLong(Long::parseLong).toArray();
    Arrays.parallelPrefix(starts, Math::addExact);
    return new FrameIndex(firsts, offsets, stride, starts);
  }

  /** The words of all following lines of this name, without the name. */
  private List<String> wordsOfLines(String name) {
    List<String> words = new ArrayList<>();
    while (isNext(name)) {
      List<String> line = Arrays.asList(next().split(" ", -1));
      words.addAll(line.subList(1, line.size()));
    }
    return words;
  }

  /** Reads an object that {@link #addBytes} has added. */
  StoredBytes bytes(String name) {
    String[] words = words(name, 3);
    long bytes = Long.parseLong(words[2]);
    int[] checksums = wordsOfLines("blocks").stream().mapToInt(RecordLines::hex).toArray();
    return new StoredBytes(words[1], new ObjectDigest(bytes, checksums));
  }

  /** Parses 32 bits in hexadecimal digits. */
  public static int hex(String word) {
    return (int) Long.parseUnsignedLong(word, 16);
  }
}
