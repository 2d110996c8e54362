package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.TextPage;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads streams of texts. The first encoding that suits the texts is used, otherwise the
 * plain form. Not thread-safe.
 */
public final class TextStreams {
  private final TextEncoding plain = new PlainTexts();
  private final List<TextEncoding> written;
  private final List<TextEncoding> readable = new ArrayList<>();
  private final TextSequence texts = new TextSequence();

  /** The aim for writing texts. */
  public enum Aim {
    /** A byte costs hardly anything: texts are written in their plain form. */
    SPEED,
    /** Another compressor follows. */
    TAIL,
    /** Few bytes. */
    SIZE
  }

  /**
   * @param streams for integers; null for the entries of dictionaries, which have no dictionary
   *     themselves
   * @param zstd only for texts; stays the caller's
   */
  public TextStreams(Aim aim, @Nullable Streams streams, BlockCompressor zstd) {
    TerminatedTexts terminated = new TerminatedTexts(zstd, aim == Aim.SIZE);
    TextEncoding pattern = new PatternTexts(terminated);
    List<TextEncoding> inOrder = new ArrayList<>();
    if (streams != null) {
      inOrder.add(new DictionaryTexts(new TextStreams(aim, null, zstd), streams));
    }
    readable.addAll(inOrder);
    readable.addAll(List.of(plain, pattern, terminated));
    if (aim == Aim.SIZE) {
      inOrder.add(pattern);
    }
    inOrder.add(terminated);
    this.written = aim == Aim.SPEED ? List.of() : List.copyOf(inOrder);
  }

  /**
   * Writes a page's texts that are not null, in at most {@link StreamHeader#BYTES} more than their
   * plain form.
   *
   * @param valid a bit for each row; null if no row is null
   */
  public Scheme write(TextPage page, long @Nullable [] valid, ByteBuffer target) {
    texts.take(page, valid);
    try {
      return write(texts, target);
    } finally {
      texts.forget(); // A codec thread keeps this object from cargo to cargo.
    }
  }

  Scheme write(TextSequence of, ByteBuffer target) {
    int start = StreamHeader.begin(target);
    int limit = target.limit();
    // The bytes after it belong to other segments.
    int end = (int) Math.min(limit, target.position() + of.plainBytes());
    for (TextEncoding encoding : of.count() == 0 ? List.<TextEncoding>of() : written) {
      List<Scheme> within = encoding.write(of, target.limit(end));
      target.limit(limit);
      if (within != null) {
        return finish(encoding, of.count(), within, start, target);
      }
      target.position(start + StreamHeader.BYTES);
    }
    return finish(plain, of.count(), plain.write(of, target), start, target);
  }

  private static Scheme finish(
      TextEncoding encoding, int count, List<Scheme> within, int start, ByteBuffer target) {
    StreamHeader.end(target, start, encoding.id());
    return new Scheme(encoding.id(), encoding.name(), count, target.position() - start, within);
  }

  /**
   * Reads a page.
   *
   * @param valid a bit for each of {@code rows} rows; null if no row is null
   * @param trees receives the scheme
   * @throws io.drayage.cargo.IllegalTextException if a text is no UTF-8
   */
  public TextPage read(ByteBuffer source, int rows, long @Nullable [] valid, List<Scheme> trees)
      throws ShipmentException {
    int count = rows;
    if (valid != null) {
      count = 0;
      for (long word : valid) {
        count += Long.bitCount(word);
      }
    }
    return read(source, count, trees).toPage(rows, valid);
  }

  /** Reads so many texts; {@code trees} receives the scheme. */
  TextSequence read(ByteBuffer source, int count, List<Scheme> trees) throws ShipmentException {
    int start = source.position();
    int id = StreamHeader.read(source);
    int limit = source.limit();
    source.limit(source.position() + StreamHeader.payloadBytes(source));
    TextEncoding encoding = encodingOf(id);
    List<Scheme> within = new ArrayList<>();
    TextSequence read = encoding.read(source, count, within);
    Malformed.unlessExactly("the end of a stream of texts", source, 0);
    source.limit(limit);
    trees.add(new Scheme(encoding.id(), encoding.name(), count, source.position() - start, within));
    return read;
  }

  private TextEncoding encodingOf(int id) throws ShipmentException {
    for (TextEncoding encoding : readable) {
      if (encoding.id() == id) {
        return encoding;
      }
    }
    throw Malformed.because(format("number %d is no encoding of texts", id));
  }
}
