package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.database.DatabaseOrigin;
import io.drayage.frame.AppVersion;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.objectstore.ObjectDigest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The text of a manifest: lines of words, always in this order. The last line has the CRC32C of all
 * before it.
 *
 * <pre>
 * drayage-snapshot 1
 * kind commit
 * database 6f1c84f2-...
 * origin 0b6e53a4-... 40
 * timestamp 42
 * epoch 3
 * parent 9f3a2b1c
 * created 2026-11-21T10:15:30Z
 * applied 00112233445566ff
 * transaction 0190f5a2-... 40 worker-7
 * app 17 nightly-load
 * cargo 0190f5a2-... 40 segments 2 4 worker-7
 * seal 953 0123456789abcdef
 * data data/0190f5a2-... 1000000000
 * blocks 9f3a2b1c 00112233
 * history data/... 24000
 * blocks 9f3a2b1c
 * end 1a2b3c4d
 * </pre>
 */
public final class ManifestText {
  private static final String VERSION = "drayage-snapshot 1";
  private static final int BLOCKS_PER_LINE = 16;

  private ManifestText() {}

  public static ByteBuffer encode(SnapshotManifest manifest) {
    StringBuilder text = new StringBuilder(VERSION).append('\n');
    line(text, "kind %s", manifest.kind().text());
    line(text, "database %s", manifest.database());
    DatabaseOrigin origin = manifest.origin();
    if (origin != null) {
      line(text, "origin %s %d", origin.database(), origin.timestamp());
    }
    line(text, "timestamp %d", manifest.timestamp());
    line(text, "epoch %d", manifest.epoch());
    line(text, "parent %08x", manifest.parentChecksum());
    line(text, "created %s", manifest.created());
    UUID cluster = manifest.cluster();
    if (cluster != null) {
      line(text, "cluster %s", cluster);
    }
    if (manifest.applied() != null) {
      line(text, "applied %016x", manifest.applied());
    }
    LoggedTransaction transaction = manifest.transaction();
    if (transaction != null) {
      addTransaction(text, transaction);
    }
    manifest.cargoes().forEach(cargo -> addContents(text, cargo));
    StoredBytes history = manifest.history();
    if (history != null) {
      addBytes(text, "history", history);
    }
    line(text, "end %08x", checksum(text.toString()));
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static void addTransaction(StringBuilder text, LoggedTransaction transaction) {
    line(
        text,
        "transaction %s %d %s",
        transaction.id(),
        transaction.baseSnapshot(),
        word(transaction.worker()));
    AppVersion app = transaction.app();
    if (app != null) {
      line(text, "app %d %s", app.version(), app.app());
    }
  }

  private static String word(String name) {
    return name.replaceAll("\\s", "_");
  }

  private static void addContents(StringBuilder text, SnapshotContents contents) {
    ShipmentHeader header = contents.header();
    line(
        text,
        "cargo %s %d %s %d %d %s",
        header.transactionId(),
        header.baseSnapshot(),
        header.pipeline().name().toLowerCase(Locale.ROOT),
        header.serializerId(),
        header.compressorId(),
        word(header.worker()));
    line(text, "seal %d %016x", contents.seal().frameCount(), contents.seal().digest());
    addBytes(text, "data", contents.data());
  }

  private static void addBytes(StringBuilder text, String name, StoredBytes bytes) {
    ObjectDigest digest = bytes.digest();
    line(text, "%s %s %d", name, bytes.key(), digest.bytes());
    for (int block = 0; block < digest.blockCount(); block++) {
      text.append(block % BLOCKS_PER_LINE == 0 ? "blocks" : "");
      text.append(format(" %08x", digest.checksum(block)));
      if (block % BLOCKS_PER_LINE == BLOCKS_PER_LINE - 1 || block == digest.blockCount() - 1) {
        text.append('\n');
      }
    }
  }

  private static int checksum(String text) {
    return ObjectDigest.checksum(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Reads a manifest.
   *
   * @throws IllegalArgumentException if the text is not a manifest
   */
  static SnapshotManifest parse(String text) {
    int end = text.lastIndexOf("\nend ") + 1;
    String stated = text.substring(end);
    int computed = checksum(text.substring(0, end));
    // To the letter: the next entry refers to the checksum of the whole text.
    if (!stated.equals(format("end %08x\n", computed))) {
      throw new IllegalArgumentException(
          format(
              "its checksum is %08x, its last line '%s'",
              computed, stated.substring(0, Math.min(stated.length(), 20)).strip()));
    }
    try {
      return read(new Lines(text.substring(0, end)));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static SnapshotManifest read(Lines lines) {
    if (!lines.next().equals(VERSION)) {
      throw new IllegalArgumentException("it does not begin with '%s'".formatted(VERSION));
    }
    SnapshotKind kind = kind(lines.word("kind"));
    UUID database = uuid(lines.word("database"));
    @Nullable DatabaseOrigin origin = lines.isNext("origin") ? readOrigin(lines) : null;
    long timestamp = Long.parseLong(lines.word("timestamp"));
    long epoch = Long.parseLong(lines.word("epoch"));
    int parent = hex(lines.word("parent"));
    Instant created = Instant.parse(lines.word("created"));
    @Nullable UUID cluster = lines.isNext("cluster") ? uuid(lines.word("cluster")) : null;
    @Nullable Long applied =
        lines.isNext("applied") ? Long.parseUnsignedLong(lines.word("applied"), 16) : null;
    @Nullable LoggedTransaction transaction =
        lines.isNext("transaction") ? readTransaction(lines) : null;
    List<SnapshotContents> cargoes = new ArrayList<>();
    while (lines.isNext("cargo")) {
      cargoes.add(readContents(lines));
    }
    @Nullable StoredBytes history = lines.isNext("history") ? readBytes(lines, "history") : null;
    lines.requireEnd();
    return new SnapshotManifest(
        kind,
        database,
        origin,
        timestamp,
        epoch,
        parent,
        created,
        cluster,
        applied,
        transaction,
        cargoes,
        history);
  }

  private static DatabaseOrigin readOrigin(Lines lines) {
    String[] words = lines.words("origin", 3);
    return new DatabaseOrigin(uuid(words[1]), Long.parseLong(words[2]));
  }

  /** To the letter, unlike what {@link UUID#fromString} takes. */
  private static UUID uuid(String word) {
    UUID id = UUID.fromString(word);
    if (!id.toString().equals(word)) {
      throw new IllegalArgumentException("'%s' is no id".formatted(word));
    }
    return id;
  }

  private static SnapshotKind kind(String text) {
    for (SnapshotKind kind : SnapshotKind.values()) {
      if (kind.text().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("'%s' is not a kind of snapshot".formatted(text));
  }

  private static LoggedTransaction readTransaction(Lines lines) {
    String[] words = lines.words("transaction", 4);
    AppVersion app = null;
    if (lines.isNext("app")) {
      String[] version = lines.words("app", 3);
      app = new AppVersion(version[2], Long.parseLong(version[1]));
    }
    return new LoggedTransaction(uuid(words[1]), Long.parseLong(words[2]), words[3], app);
  }

  private static SnapshotContents readContents(Lines lines) {
    String[] cargo = lines.words("cargo", 7);
    ShipmentHeader header =
        new ShipmentHeader(
            UUID.fromString(cargo[1]),
            Long.parseLong(cargo[2]),
            Pipeline.valueOf(cargo[3].toUpperCase(Locale.ROOT)),
            Integer.parseInt(cargo[4]),
            Integer.parseInt(cargo[5]),
            CommitOptions.DEFAULT, // Not stored: it is committed.
            cargo[6]);
    String[] seal = lines.words("seal", 3);
    StoredBytes data = readBytes(lines, "data");
    return new SnapshotContents(
        data, header, new Seal(Long.parseLong(seal[1]), Long.parseUnsignedLong(seal[2], 16)));
  }

  private static StoredBytes readBytes(Lines lines, String name) {
    String[] words = lines.words(name, 3);
    long bytes = Long.parseLong(words[2]);
    int[] checksums = new int[0];
    while (lines.isNext("blocks")) {
      String[] blocks = lines.next().split(" ", -1);
      int known = checksums.length;
      checksums = Arrays.copyOf(checksums, known + blocks.length - 1);
      for (int b = 1; b < blocks.length; b++) {
        checksums[known + b - 1] = hex(blocks[b]);
      }
    }
    return new StoredBytes(words[1], new ObjectDigest(bytes, checksums));
  }

  private static int hex(String word) {
    return (int) Long.parseUnsignedLong(word, 16);
  }

  /** The remaining lines. */
  private static final class Lines {
    private final String[] lines;
    private int next;

    Lines(String text) {
      lines = text.split("\n", -1);
    }

    String next() {
      if (next == lines.length - 1) {
        throw new IllegalArgumentException("it ends after line " + next);
      }
      return lines[next++];
    }

    boolean isNext(String name) {
      return lines[next].startsWith(name + " ");
    }

    /** The words of the next line, the first of which must be {@code name}. */
    String[] words(String name, int count) {
      String[] words = next().split(" ", -1);
      if (words.length != count || !words[0].equals(name)) {
        throw new IllegalArgumentException(
            format("line %d is not a '%s' of %d words", next, name, count));
      }
      return words;
    }

    String word(String name) {
      return words(name, 2)[1];
    }

    void requireEnd() {
      if (next != lines.length - 1 || !lines[next].isEmpty()) {
        throw new IllegalArgumentException(format("unexpected line %d", next + 1));
      }
    }
  }
}
