package io.drayage.columnar;

import io.drayage.columnar.bit.BitStreams;
import io.drayage.columnar.decimal.DecimalEncoding;
import io.drayage.columnar.integer.BinsEncoding;
import io.drayage.columnar.integer.ConstantEncoding;
import io.drayage.columnar.integer.DictionaryEncoding;
import io.drayage.columnar.integer.DivisorEncoding;
import io.drayage.columnar.integer.FrameEncoding;
import io.drayage.columnar.integer.NarrowEncoding;
import io.drayage.columnar.integer.PlanesEncoding;
import io.drayage.columnar.integer.RawEncoding;
import io.drayage.columnar.integer.RepeatEncoding;
import io.drayage.columnar.integer.RunEncoding;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.Workspace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encodings of values: one line each. Of equally good ones the first is taken, and what an
 * encoding expects of values within counts those before it.
 */
final class Encodings {
  private Encodings() {}

  /**
   * Creates those of streams of one depth; raw values come first.
   *
   * @param within the streams one deeper; null if there may be none
   * @param bitStreams likewise
   * @param planes those of this depth
   * @param early those of segments' own streams that come before what has to be looked for
   * @param ofSegments further ones, of segments' own streams
   */
  static List<Encoding> create(
      int depth,
      Workspace workspace,
      @Nullable Streams within,
      @Nullable BitStreams bitStreams,
      PlanesEncoding planes,
      BinsEncoding bins,
      List<Encoding> early,
      List<Encoding> ofSegments) {
    List<Encoding> encodings = new ArrayList<>();
    encodings.add(new RawEncoding());
    encodings.add(new ConstantEncoding(workspace));
    encodings.add(new FrameEncoding(0, false, workspace));
    if (depth == 0) {
      encodings.add(new NarrowEncoding());
    }
    encodings.add(new FrameEncoding(1, false, workspace));
    encodings.addAll(early);
    encodings.add(new FrameEncoding(0, true, workspace));
    encodings.add(new FrameEncoding(1, true, workspace));
    if (within != null && bitStreams != null) {
      encodings.add(new DivisorEncoding(workspace, within));
      encodings.add(new DecimalEncoding(workspace, within));
      encodings.add(new DictionaryEncoding(workspace, within));
      encodings.add(new RepeatEncoding(workspace, within, bitStreams));
      encodings.add(new RunEncoding(depth == 0, workspace, within, bitStreams));
    }
    encodings.add(planes);
    encodings.add(bins);
    encodings.addAll(ofSegments);
    return List.copyOf(encodings);
  }
}
