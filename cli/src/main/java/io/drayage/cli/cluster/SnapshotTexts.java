package io.drayage.cli.cluster;

import io.drayage.bench.table.Cell;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.codec.Codec;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentHeader;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotManifest;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Snapshots for people. */
final class SnapshotTexts {
  private SnapshotTexts() {}

  /** One row for each snapshot. */
  static Table table(List<SnapshotManifest> manifests) {
    return Table.of("Snapshots", manifests)
        .text("snapshot", manifest -> Long.toString(manifest.timestamp()))
        .text("kind", manifest -> manifest.kind().text())
        .number("epoch", Format.COUNT, SnapshotManifest::epoch)
        .text("transaction", manifest -> transaction(manifest, manifest.transactionId()))
        .text(
            "base",
            manifest ->
                transaction(
                    manifest, contents(manifest, contents -> contents.header().baseSnapshot())))
        .text("made with", manifest -> contents(manifest, contents -> codecs(contents.header())))
        .number(
            "bytes",
            Format.COUNT,
            manifest -> contents(manifest, contents -> contents.data().digest().bytes()))
        .cells("created", "", false, manifest -> Cell.text(manifest.created().toString()))
        .build();
  }

  private static <T> @Nullable T contents(
      SnapshotManifest manifest, Function<SnapshotContents, T> figure) {
    SnapshotContents contents = manifest.contents();
    return contents == null ? null : figure.apply(contents);
  }

  /** Only a commit has a transaction. */
  private static @Nullable String transaction(SnapshotManifest manifest, @Nullable Object value) {
    return manifest.transactionId() == null || manifest.contents() == null
        ? null
        : String.valueOf(value);
  }

  /** Also of codecs that this JVM does not have. */
  static String codecs(ShipmentHeader header) {
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
