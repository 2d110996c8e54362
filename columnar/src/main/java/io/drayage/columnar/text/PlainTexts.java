package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;

/** Plain texts: the end of each text, i32, then the bytes of all texts. */
final class PlainTexts extends TextEncoding {
  PlainTexts() {
    super(16, "PLAIN");
  }

  @Override
  List<Scheme> write(TextSequence texts, ByteBuffer target) {
    int[] starts = texts.starts();
    for (int i = 1; i <= texts.count(); i++) {
      target.putInt(starts[i] - starts[0]);
    }
    target.put(texts.bytes(), starts[0], texts.byteCount());
    return List.of();
  }

  @Override
  TextSequence read(ByteBuffer source, int count, List<Scheme> within) throws ShipmentException {
    Malformed.unlessThere("the ends of texts", source, (long) count * Integer.BYTES);
    int[] starts = new int[count + 1];
    source.asIntBuffer().get(starts, 1, count);
    source.position(source.position() + count * Integer.BYTES);
    for (int i = 0; i < count; i++) {
      if (starts[i] > starts[i + 1]) {
        throw Malformed.because(
            format("text %,d begins at %,d and ends at %,d", i, starts[i], starts[i + 1]));
      }
    }
    Malformed.unlessExactly("plain texts", source, starts[count]);
    byte[] bytes = new byte[starts[count] + TextSequence.SLACK];
    source.get(bytes, 0, starts[count]);
    return new TextSequence(bytes, starts, count);
  }
}
