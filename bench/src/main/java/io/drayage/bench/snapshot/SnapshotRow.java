package io.drayage.bench.snapshot;

import io.drayage.codec.Codec;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentHeader;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotManifest;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** A snapshot as a row of a table. */
final class SnapshotRow {
  static final List<String> HEADINGS =
      List.of("snapshot", "kind", "epoch", "transaction", "base", "made with", "bytes", "created");

  private static final String NONE = "-";

  private SnapshotRow() {}

  static List<String> of(SnapshotManifest manifest) {
    SnapshotContents contents = manifest.contents();
    boolean commit = manifest.transactionId() != null && contents != null;
    return List.of(
        Long.toString(manifest.timestamp()),
        manifest.kind().text(),
        Long.toString(manifest.epoch()),
        commit ? String.valueOf(manifest.transactionId()) : NONE,
        commit ? Long.toString(contents.header().baseSnapshot()) : NONE,
        contents == null ? NONE : codecs(contents.header()),
        contents == null ? NONE : "%,d".formatted(contents.data().digest().bytes()),
        manifest.created().toString());
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
