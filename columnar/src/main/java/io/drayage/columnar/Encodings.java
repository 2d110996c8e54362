package io.drayage.columnar;

import io.drayage.codec.Compressors;
import io.drayage.columnar.decimal.DecimalEncoding;
import io.drayage.columnar.integer.BinsEncoding;
import io.drayage.columnar.integer.CompressedEncoding;
import io.drayage.columnar.integer.ConstantEncoding;
import io.drayage.columnar.integer.DictionaryEncoding;
import io.drayage.columnar.integer.DivisorEncoding;
import io.drayage.columnar.integer.FrameEncoding;
import io.drayage.columnar.integer.NarrowEncoding;
import io.drayage.columnar.integer.PlanesEncoding;
import io.drayage.columnar.integer.RawEncoding;
import io.drayage.columnar.integer.RepeatEncoding;
import io.drayage.columnar.integer.RunEncoding;
import io.drayage.columnar.stream.BitStreams;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.Workspace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encodings of values, one line each. They are estimated in this order, so encodings with long
 * estimates come last. Of equally good encodings, the first is chosen. An encoding expects its
 * inner values to be written in an earlier encoding of this list.
 */
final class Encodings {
  private Encodings() {}

  /**
   * Creates the encodings for streams of one depth; raw values come first.
   *
   * @param within the streams one deeper; null if there may be none
   * @param bitStreams streams of bits whose distances are one deeper; null if there may be none
   * @param zstd for all depths
   */
  static List<Encoding> create(
      int depth,
      Workspace workspace,
      @Nullable Streams within,
      @Nullable BitStreams bitStreams,
      BlockCompressor zstd) {
    boolean isOfSegments = depth == 0;
    List<Encoding> encodings = new ArrayList<>();
    encodings.add(new RawEncoding());
    encodings.add(new ConstantEncoding(workspace));
    encodings.add(new FrameEncoding(0, false, workspace));
    if (isOfSegments) {
      encodings.add(new NarrowEncoding());
    }
    encodings.add(new FrameEncoding(1, false, workspace));
    if (isOfSegments) {
      // LZ4 keeps no resource that would have to be closed.
      encodings.add(CompressedEncoding.lz4(new BlockCompressor(Compressors.ofName("lz4"))));
    }
    encodings.add(new FrameEncoding(0, true, workspace));
    encodings.add(new FrameEncoding(1, true, workspace));
    if (within != null && bitStreams != null) {
      encodings.add(new DivisorEncoding(workspace, within));
      encodings.add(new DecimalEncoding(workspace, within));
      encodings.add(new DictionaryEncoding(workspace, within));
      encodings.add(new RepeatEncoding(workspace, within, bitStreams));
      encodings.add(new RunEncoding(isOfSegments, workspace, within, bitStreams));
    }
    encodings.add(new PlanesEncoding(workspace, zstd));
    encodings.add(new BinsEncoding(workspace));
    if (isOfSegments) {
      encodings.add(CompressedEncoding.zstd(zstd));
    }
    return List.copyOf(encodings);
  }
}
