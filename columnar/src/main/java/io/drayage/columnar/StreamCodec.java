package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Compressors;
import io.drayage.columnar.bit.BitStreams;
import io.drayage.columnar.integer.BinsEncoding;
import io.drayage.columnar.integer.CompressedEncoding;
import io.drayage.columnar.integer.PlanesEncoding;
import io.drayage.columnar.kernel.MiniBlock;
import io.drayage.columnar.stream.Choice;
import io.drayage.columnar.stream.Encoding;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.Hint;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.stream.StreamTooLongException;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.Values;
import io.drayage.columnar.stream.Workspace;
import io.drayage.columnar.stream.Zstandard;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one depth: writes each in the encoding that the {@link Chooser} chooses, reads
 * them, and refuses everything else. Not thread-safe.
 */
final class StreamCodec implements Streams {
  /** What costs less than so many times the least, by estimate, is as good. */
  private static final double AS_GOOD = 1.005;

  private final int depth;
  private final Workspace workspace;
  private final @Nullable StreamCodec within;
  private final @Nullable BitStreams bitStreams;
  private final List<Encoding> encodings;
  private final @Nullable Encoding[] byId = new Encoding[Encoding.MAX_ID + 1];
  private final Encoding raw;
  private final @Nullable Encoding fast;
  private final Chooser chooser;
  private final double slack;

  /**
   * The streams of segments, and those within.
   *
   * @param zstd for numbers; stays the caller's
   */
  StreamCodec(ColumnarOptions options, Zstandard zstd) {
    this(0, options, new MiniBlock(), zstd);
  }

  private StreamCodec(int depth, ColumnarOptions options, MiniBlock packing, Zstandard zstd) {
    this.depth = depth;
    this.workspace = new Workspace(packing);
    this.within = depth == MAX_DEPTH ? null : new StreamCodec(depth + 1, options, packing, zstd);
    this.bitStreams = within == null ? null : new BitStreams(options.nsPerByte(), within);
    PlanesEncoding planes = new PlanesEncoding(options.compressesPlanes(), workspace, zstd);
    BinsEncoding bins = new BinsEncoding(options.compresses(), workspace);
    List<Encoding> early = depth > 0 ? List.of() : List.of(lz4(options));
    this.fast = depth == 0 && options.compressesFast() ? early.get(0) : null;
    List<Encoding> ofSegments = depth > 0 ? List.of() : ofSegments(options, zstd);
    this.encodings =
        Encodings.create(depth, workspace, within, bitStreams, planes, bins, early, ofSegments);
    this.raw = encodings.get(0);
    this.slack = options.slack();
    this.chooser = new Chooser(options, encodings, workspace.statistics());
    for (Encoding encoding : encodings) {
      byId[encoding.id()] = encoding;
    }
  }

  private static Encoding lz4(ColumnarOptions options) {
    // What LZ4 holds need not be closed.
    Zstandard lz4 = new Zstandard(Compressors.ofName("lz4"));
    return CompressedEncoding.lz4(options.compressesFast(), lz4);
  }

  /** Others that are of segments' own streams alone. */
  private List<Encoding> ofSegments(ColumnarOptions options, Zstandard zstd) {
    return List.of(CompressedEncoding.zstd(options.compresses(), zstd));
  }

  /** The encodings of this depth; raw values come first. */
  List<Encoding> encodings() {
    return encodings;
  }

  /** The streams one deeper. */
  StreamCodec within() {
    if (within == null) {
      throw new IllegalStateException("nothing is within " + this);
    }
    return within;
  }

  /** Streams of bits whose distances are streams one deeper. */
  BitStreams bitStreams() {
    if (bitStreams == null) {
      throw new IllegalStateException("no bits are within " + this);
    }
    return bitStreams;
  }

  @Override
  public EncodingTree write(Values values, @Nullable Facts known, ByteBuffer target, int maxBytes) {
    Facts facts = known == null || known.isClosed() ? Facts.ofOne() : known;
    if (!facts.isShared()) {
      EncodingTree tree = writeRecurring(values, facts, target, maxBytes);
      if (tree != null) {
        return tree;
      }
      chooser.preview(values, facts);
    }
    return writeKnown(values, facts, target, maxBytes);
  }

  /** Writes a short stream as LZ4, if it is such and becomes short enough; else null. */
  private @Nullable EncodingTree writeRecurring(
      Values values, Facts facts, ByteBuffer target, int maxBytes) {
    Encoding encoding = fast;
    if (encoding == null || !chooser.mostlyRecurs(values)) {
      return null;
    }
    int start = target.position();
    int limit = target.limit();
    target.limit(Math.min(limit, start + space(values, maxBytes)));
    EncodingTree tree = tryToWrite(encoding, values, facts, target);
    target.limit(limit);
    if (tree != null && chooser.isBest(encoding, tree.bytes(), values)) {
      return tree;
    }
    target.position(start);
    double bits = tree == null ? 0 : (double) tree.bytes() * Byte.SIZE / values.count();
    facts.learn(encoding, tree == null ? null : new Hint(0, 0, bits));
    return null;
  }

  private static int space(Values values, int maxBytes) {
    long rawBytes = (long) values.count() * values.rawWidth();
    return (int) Math.max(0, Math.min(maxBytes, StreamHeader.BYTES + rawBytes));
  }

  private EncodingTree writeKnown(Values values, Facts facts, ByteBuffer target, int maxBytes) {
    int start = target.position();
    int limit = target.limit();
    long rawBytes = (long) values.count() * values.rawWidth();
    if (values.count() > 0 && facts.settled() != raw) {
      target.limit(Math.min(limit, start + space(values, maxBytes)));
      Encoding settled = facts.settled();
      EncodingTree tree =
          settled == null
              ? writeChosen(values, facts, target)
              : writeSettled(settled, values, facts, target);
      target.limit(limit);
      boolean compared = settled == null && !facts.isShared();
      if (tree != null && (compared || !facts.isSurprising(tree.bytes(), values.count()))) {
        facts.noteWritten(tree.bytes(), values.count());
        return tree;
      }
      if (settled != null || tree != null) {
        // What was learned elsewhere does not hold here: the stream is looked at by itself.
        Facts own = facts.isShared() ? Facts.ofOne() : facts;
        if (settled != null) {
          double bytes = tree == null ? Double.POSITIVE_INFINITY : tree.bytes();
          own.noteTried(settled, bytes / values.count());
        }
        chooser.preview(values, own);
        if (tree != null && settled != null && own.settled() == settled) {
          return tree;
        }
        target.position(start);
        return writeKnown(values, own, target, maxBytes);
      }
      target.position(start);
    }
    if (StreamHeader.BYTES + rawBytes > maxBytes) {
      throw new StreamTooLongException();
    }
    return writeRaw(values, target);
  }

  /** Null if raw values are best, or all that is left. */
  private @Nullable EncodingTree writeChosen(Values values, Facts facts, ByteBuffer target) {
    List<Choice> choices = chooser.choose(values, facts);
    if (depth == 0 && chooser.compares(facts)) {
      return writeBest(choices, values, facts, target);
    }
    int start = target.position();
    for (Choice choice : choices) {
      EncodingTree tree = tryToWrite(choice.encoding(), values, facts, target);
      if (tree != null) {
        return tree;
      }
      target.position(start);
    }
    return null;
  }

  /** Writes in what is the best by estimate, until nothing else could be better than that was. */
  private @Nullable EncodingTree writeBest(
      List<Choice> choices, Values values, Facts facts, ByteBuffer target) {
    int start = target.position();
    Encoding written = raw;
    EncodingTree tree = null;
    Encoding best = best(choices, facts);
    while (best != written) {
      target.position(start);
      boolean isAgain = facts.triedBytes(best) > 0;
      tree = tryToWrite(best, values, facts, target);
      written = best;
      if (best != raw && !isAgain) {
        double bytes = tree == null ? Double.POSITIVE_INFINITY : slack * tree.bytes();
        facts.noteTried(best, bytes / values.count());
        best = best(chooser.chooseAgain(values, facts), facts);
      }
    }
    facts.forgetTried();
    return tree;
  }

  /** The best by estimate, or what is about as good and needs no sample to tell. */
  private static Encoding best(List<Choice> choices, Facts facts) {
    double leastNs = choices.get(0).ns();
    for (Choice choice : choices) {
      Encoding encoding = choice.encoding();
      boolean certain = facts.hint(encoding) == null || facts.triedBytes(encoding) > 0;
      if (certain && choice.ns() < AS_GOOD * leastNs) {
        return encoding;
      }
    }
    return choices.get(0).encoding();
  }

  /** Null if that fails, or if it would be raw values. */
  private @Nullable EncodingTree tryToWrite(
      Encoding encoding, Values values, Facts facts, ByteBuffer target) {
    try {
      return encoding == raw ? null : writeAs(encoding, values, facts, target);
    } catch (BufferOverflowException | StreamTooLongException e) {
      return null; // The estimate was wrong.
    }
  }

  /** Writes values as others of the column were, without a look at them; null if that fails. */
  private @Nullable EncodingTree writeSettled(
      Encoding settled, Values values, Facts facts, ByteBuffer target) {
    workspace.statistics().forget();
    try {
      return writeAs(settled, values, facts, target);
    } catch (BufferOverflowException | StreamTooLongException e) {
      return null;
    }
  }

  /**
   * Looks at values, so that {@link #writeAs} writes them in whatever encoding; what each would
   * take, by estimate.
   */
  List<Choice> look(Values values, Facts facts) {
    return chooser.estimateAll(values, facts);
  }

  /** Writes values that were looked at in one encoding; null if it does not suit them. */
  @Nullable EncodingTree writeAs(Encoding encoding, Values values, Facts facts, ByteBuffer target) {
    int start = StreamHeader.begin(target);
    List<EncodingTree> children = encoding.write(values, facts, target);
    if (children == null) {
      return null;
    }
    StreamHeader.end(target, start, encoding.id());
    int bytes = target.position() - start;
    return new EncodingTree(encoding.name(), values.count(), bytes, children);
  }

  /** Writes raw values without a look at them. */
  EncodingTree writeRaw(Values values, ByteBuffer target) {
    int start = StreamHeader.begin(target);
    values.writeRaw(target);
    StreamHeader.end(target, start, raw.id());
    int bytes = target.position() - start;
    return new EncodingTree(raw.name(), values.count(), bytes, List.of());
  }

  @Override
  public EncodingTree read(ByteBuffer source, int count, Values sink) throws ShipmentException {
    int start = source.position();
    int id = StreamHeader.read(source);
    Encoding encoding = id < byId.length ? byId[id] : null;
    if (encoding == null) {
      throw Malformed.because(format("number %d is no encoding of values at depth %d", id, depth));
    }
    int limit = source.limit();
    source.limit(source.position() + StreamHeader.payloadBytes(source));
    List<EncodingTree> children = encoding.read(source, count, sink);
    Malformed.unlessExactly("the end of a stream", source, 0);
    source.limit(limit);
    return new EncodingTree(encoding.name(), count, source.position() - start, children);
  }

  @Override
  public String toString() {
    return format("StreamCodec[depth %d]", depth);
  }
}
