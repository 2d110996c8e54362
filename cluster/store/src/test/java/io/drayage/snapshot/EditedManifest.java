package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.ObjectDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Changes manifests in a folder, with right checksums of their own. */
public final class EditedManifest {
  private EditedManifest() {}

  /** Changes a manifest, which must be the newest entry: the next one would not follow it. */
  public static void edit(Path folder, long timestamp, UnaryOperator<String> change)
      throws IOException {
    Path file = folder.resolve(SnapshotKeys.Place.entry(timestamp).key());
    String text = Files.readString(file);
    String changed = change.apply(text.substring(0, text.lastIndexOf("end ")));
    int checksum = ObjectDigest.checksum(ByteBuffer.wrap(changed.getBytes(StandardCharsets.UTF_8)));
    Files.writeString(file, format("%send %08x\n", changed, checksum));
  }

  /** Replaces the digest in an entry. */
  public static void setApplied(Path folder, long timestamp, long applied) throws IOException {
    edit(
        folder,
        timestamp,
        text -> text.replaceAll("applied [0-9a-f]+", format("applied %016x", applied)));
  }
}
