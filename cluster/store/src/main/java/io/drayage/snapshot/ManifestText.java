package io.drayage.snapshot;

import io.drayage.cargo.TableSchema;
import io.drayage.database.DatabaseOrigin;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.AppVersion;
import io.drayage.snapshot.SnapshotKind.Abort;
import io.drayage.snapshot.SnapshotKind.Commit;
import io.drayage.snapshot.SnapshotKind.Expired;
import io.drayage.snapshot.SnapshotKind.Full;
import io.drayage.snapshot.SnapshotKind.Takeover;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The format of a manifest: lines of words, always in this order. The last line has the CRC32C of
 * all lines before it.
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
 * of orders of 2026
 * drop orders of 2025
 * table orders of 2026
 * column 5 0 id
 * column 8 1 note
 * worker worker-7
 * cargo 0190f5a2-... 40 segments 2 4 0
 * seal 953 0123456789abcdef
 * data data/0190f5a2-... 1000000000
 * blocks 9f3a2b1c 00112233
 * frames 0+52 7+1048576
 * cargo 0190f5a3-... 40 segments 2 4 0
 * seal 3 0123456789abcdef
 * bytes RFJZR...
 * history data/... 24000
 * blocks 9f3a2b1c
 * end 1a2b3c4d
 * </pre>
 */
public final class ManifestText {
  private static final String VERSION = "drayage-snapshot 1";

  private ManifestText() {}

  public static ByteBuffer encode(SnapshotManifest manifest) {
    StringBuilder text = new StringBuilder(VERSION).append('\n');
    SnapshotKind kind = manifest.kind();
    RecordLines.line(text, "kind", kind.text());
    RecordLines.line(text, "database", manifest.database());
    if (kind instanceof Full full && full.origin() != null) {
      RecordLines.line(text, "origin", full.origin().database(), full.origin().timestamp());
    }
    RecordLines.line(text, "timestamp", manifest.timestamp());
    RecordLines.line(text, "epoch", manifest.epoch());
    RecordLines.line(text, "parent", RecordLines.HEX.toHexDigits(manifest.parentChecksum()));
    RecordLines.line(text, "created", manifest.created());
    return kind.fold(
        commit -> {
          RecordLines.line(text, "applied", RecordLines.HEX.toHexDigits(commit.applied()));
          addTransaction(text, commit.transaction());
          commit.droppedTables().forEach(table -> RecordLines.line(text, "drop", table));
          commit.newTables().forEach(table -> RecordLines.addTable(text, table));
          RecordLines.addCargoes(text, commit.cargoes());
          return RecordLines.close(text);
        },
        end -> {
          addTransaction(text, end.transaction());
          return RecordLines.close(text);
        },
        takeover -> {
          RecordLines.line(text, "cluster", takeover.cluster());
          return RecordLines.close(text);
        },
        full -> {
          RecordLines.addCargoes(text, full.cargoes());
          RecordLines.addBytes(text, "history", full.history());
          return RecordLines.close(text);
        });
  }

  private static void addTransaction(StringBuilder text, LoggedTransaction transaction) {
    RecordLines.line(
        text,
        "transaction",
        transaction.id(),
        transaction.baseSnapshot(),
        RecordLines.oneWord(transaction.worker()));
    AppVersion app = transaction.app();
    if (app != null) {
      RecordLines.line(text, "app", app.version(), app.app());
      app.tables().forEach(table -> RecordLines.line(text, "of", table));
    }
  }

  /**
   * Reads a manifest.
   *
   * @throws IllegalArgumentException if the text is not a manifest
   */
  static SnapshotManifest parse(String text) {
    try {
      return read(RecordLines.open(text));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static SnapshotManifest read(RecordLines lines) {
    if (!lines.next().equals(VERSION)) {
      throw new IllegalArgumentException("it does not begin with '%s'".formatted(VERSION));
    }
    String kind = lines.word("kind");
    UUID database = RecordLines.uuid(lines.word("database"));
    @Nullable DatabaseOrigin origin =
        kind.equals("full") && lines.isNext("origin") ? readOrigin(lines) : null;
    long timestamp = Long.parseLong(lines.word("timestamp"));
    long epoch = Long.parseLong(lines.word("epoch"));
    int parent = RecordLines.hex(lines.word("parent"));
    Instant created = Instant.parse(lines.word("created"));
    SnapshotKind contents =
        switch (kind) {
          case "commit" -> readCommit(lines);
          case "abort" -> new Abort(readTransaction(lines));
          case "expired" -> new Expired(readTransaction(lines));
          case "takeover" -> new Takeover(RecordLines.uuid(lines.word("cluster")));
          case "full" -> new Full(origin, readRows(lines), lines.bytes("history"));
          default ->
              throw new IllegalArgumentException("'%s' is not a kind of snapshot".formatted(kind));
        };
    lines.requireEnd();
    return new SnapshotManifest(contents, database, timestamp, epoch, parent, created);
  }

  private static DatabaseOrigin readOrigin(RecordLines lines) {
    String[] words = lines.words("origin", 3);
    return new DatabaseOrigin(RecordLines.uuid(words[1]), Long.parseLong(words[2]));
  }

  private static Commit readCommit(RecordLines lines) {
    long applied = Long.parseUnsignedLong(lines.word("applied"), 16);
    LoggedTransaction transaction = readTransaction(lines);
    List<String> droppedTables = new ArrayList<>();
    while (lines.isNext("drop")) {
      droppedTables.add(lines.wordsAndText("drop", 2)[1]);
    }
    List<TableSchema> newTables = new ArrayList<>();
    while (lines.isNext("table")) {
      newTables.add(lines.table());
    }
    return new Commit(transaction, applied, droppedTables, newTables, lines.cargoes());
  }

  private static SnapshotContents readRows(RecordLines lines) {
    List<SnapshotContents> cargoes = lines.cargoes();
    if (cargoes.size() != 1) {
      throw new IllegalArgumentException("a full snapshot has one cargo");
    }
    return cargoes.get(0);
  }

  private static LoggedTransaction readTransaction(RecordLines lines) {
    String[] words = lines.words("transaction", 4);
    AppVersion app = null;
    if (lines.isNext("app")) {
      String[] version = lines.words("app", 3);
      List<String> tables = new ArrayList<>();
      while (lines.isNext("of")) {
        tables.add(lines.wordsAndText("of", 2)[1]);
      }
      app = new AppVersion(version[2], Long.parseLong(version[1]), tables);
    }
    return new LoggedTransaction(
        RecordLines.uuid(words[1]), Long.parseLong(words[2]), words[3], app);
  }
}
