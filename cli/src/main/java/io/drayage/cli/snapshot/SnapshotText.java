package io.drayage.cli.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableCell;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.TableSchema;
import io.drayage.codec.Codec;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.database.LoggedTransaction;
import io.drayage.frame.AppVersion;
import io.drayage.frame.ShipmentHeader;
import io.drayage.internal.Counted;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoredBytes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The texts that commands print of snapshots. */
final class SnapshotText {
  private SnapshotText() {}

  /** Prints a snapshot, one line for each property. */
  static void print(PrintWriter out, SnapshotEntry entry) {
    SnapshotManifest manifest = entry.manifest();
    SnapshotKind kind = manifest.kind();
    line(out, "snapshot", manifest.timestamp());
    line(out, "kind", kind.text());
    line(out, "database", manifest.database());
    if (kind instanceof SnapshotKind.Full full && full.origin() != null) {
      line(
          out,
          "origin",
          format(
              "snapshot %d of database %s", full.origin().timestamp(), full.origin().database()));
    }
    line(out, "epoch", manifest.epoch());
    line(out, "created", manifest.created());
    line(out, "checksum", format("%08x", entry.checksum()));
    line(
        out,
        manifest.isLogEntry() ? "made on" : "state of",
        format("snapshot %d with checksum %08x", manifest.parent(), manifest.parentChecksum()));
    kind.<Runnable, RuntimeException>fold(
            commit -> () -> print(out, commit),
            end -> () -> print(out, end.transaction()),
            takeover -> () -> {},
            full -> () -> print(out, full))
        .run();
  }

  private static void print(PrintWriter out, SnapshotKind.Commit commit) {
    line(out, "applied", CargoDigest.toHex(commit.applied()));
    print(out, commit.transaction());
    commit.droppedTables().forEach(table -> line(out, "drops table", table));
    for (TableSchema added : commit.newTables()) {
      line(
          out,
          "adds table",
          "%s, %s".formatted(added.name(), Counted.of(added.columns().size(), "column")));
    }
    for (SnapshotContents contents : commit.cargoes()) {
      UUID cargo = contents.header().transactionId();
      if (!cargo.equals(commit.transaction().id())) {
        line(out, "fragment", cargo);
      }
      print(out, contents);
    }
  }

  private static void print(PrintWriter out, LoggedTransaction transaction) {
    line(out, "transaction", transaction.id());
    line(out, "base", transaction.baseSnapshot());
    line(out, "worker", transaction.worker());
    AppVersion app = transaction.app();
    if (app != null) {
      line(
          out,
          "application",
          format(
              "%s, version %d, of %s", app.app(), app.version(), String.join(", ", app.tables())));
    }
  }

  private static void print(PrintWriter out, SnapshotKind.Full full) {
    ShipmentHeader header = full.rows().header();
    line(out, "transaction", header.transactionId());
    line(out, "base", header.baseSnapshot());
    line(out, "worker", header.worker());
    print(out, full.rows());
    line(out, "history", describe(full.history()));
  }

  private static void print(PrintWriter out, SnapshotContents contents) {
    line(out, "made with", codecs(contents.header()));
    line(out, "frames", format("%,d", contents.seal().frameCount()));
    line(out, "data", describe(contents.data()));
  }

  private static String describe(StoredBytes bytes) {
    return "%s, %s in %s"
        .formatted(
            bytes.key(),
            Counted.of(bytes.digest().bytes(), "byte"),
            Counted.of(bytes.digest().blockCount(), "block"));
  }

  private static void line(PrintWriter out, String name, Object value) {
    out.printf("%-12s %s%n", name, value);
  }

  /** Returns a table with a row for each snapshot. */
  static Table table(List<SnapshotManifest> manifests) {
    return Table.of("Snapshots", manifests)
        .text("snapshot", manifest -> Long.toString(manifest.timestamp()))
        .text("kind", manifest -> manifest.kind().text())
        .number("epoch", Format.COUNT, SnapshotManifest::epoch)
        .text(
            "transaction",
            manifest ->
                manifest.transaction() == null ? null : manifest.transaction().id().toString())
        .text(
            "base",
            manifest ->
                manifest.transaction() == null
                    ? null
                    : Long.toString(manifest.transaction().baseSnapshot()))
        .number("cargoes", Format.COUNT, manifest -> manifest.cargoes().size())
        .text("made with", SnapshotText::madeWith)
        .number(
            "bytes",
            Format.COUNT,
            manifest -> manifest.cargoes().isEmpty() ? null : manifest.dataBytes())
        .cells("created", "", false, manifest -> TableCell.text(manifest.created().toString()))
        .build();
  }

  /** Returns the codecs of all cargoes; null without cargoes. */
  private static @Nullable String madeWith(SnapshotManifest manifest) {
    return manifest.cargoes().isEmpty()
        ? null
        : manifest.cargoes().stream()
            .map(cargo -> codecs(cargo.header()))
            .distinct()
            .collect(Collectors.joining("; "));
  }

  /** Returns the codecs of a cargo, including codecs that this JVM does not have. */
  private static String codecs(ShipmentHeader header) {
    return "%s+%s, %s"
        .formatted(
            name(Serializers::ofId, header.serializerId()),
            name(Compressors::ofId, header.compressorId()),
            header.pipeline().name().toLowerCase(Locale.ROOT));
  }

  private static String name(IntFunction<? extends Codec> codecs, int id) {
    try {
      return codecs.apply(id).name();
    } catch (IllegalArgumentException e) {
      return "codec " + id;
    }
  }
}
