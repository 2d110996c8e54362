package io.drayage.columnar;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a stream of values in the encoding that the {@link Chooser} chooses, and the streams
 * within it. For one thread.
 */
final class StreamWriter {
  /** The depth of streams that have none within: the root's is 0. */
  static final int MAX_DEPTH = 2;

  private final int depth;
  private final Chooser chooser;
  private final Statistics statistics = new Statistics();
  private final FrameWriter frames;
  private final NarrowWriter narrow = new NarrowWriter();
  private final @Nullable NestedWriter nested;

  /**
   * @param words may be shared among the streams of a thread
   */
  StreamWriter(int depth, ColumnarOptions options, Words words) {
    this.depth = depth;
    this.chooser = new Chooser(options);
    this.frames = new FrameWriter(words);
    this.nested =
        depth == MAX_DEPTH
            ? null
            : new NestedWriter(options, new StreamWriter(depth + 1, options, words));
  }

  /** Writes a stream, which takes at most {@link StreamHeader#BYTES} more than raw values. */
  EncodingTree write(Values values, ByteBuffer target) {
    return write(values, new Facts(), target, Integer.MAX_VALUE);
  }

  /**
   * As the other.
   *
   * @param known what is known of the values and of streams within, or where to note it; null if
   *     nothing is and nobody wants to know
   * @param maxBytes how long the stream may become
   * @throws StreamTooLongException if it would be longer
   */
  EncodingTree write(Values values, @Nullable Facts known, ByteBuffer target, int maxBytes) {
    Facts facts = known == null || known.isClosed() ? new Facts() : known;
    int start = target.position();
    int limit = target.limit();
    long rawBytes = (long) values.count() * values.rawWidth();
    if (values.count() > 0) {
      long room = Math.min(maxBytes, StreamHeader.BYTES + rawBytes);
      target.limit((int) Math.min(limit, start + Math.max(0, room)));
      Choice settled = facts.settled();
      if (settled != null) {
        EncodingTree tree = writeSettled(settled, values, facts, target);
        if (tree != null && !facts.isSurprising(tree.bytes(), values.count())) {
          target.limit(limit);
          return tree;
        }
        target.limit(limit).position(start);
        return write(values, new Facts(), target, maxBytes);
      }
      for (Choice choice : choose(values, facts)) {
        try {
          if (choice.encoding() != Encoding.RAW) {
            EncodingTree tree = write(choice, values, statistics.runs(), facts, target);
            if (tree != null) {
              target.limit(limit);
              return settle(tree, values, facts, target, start, maxBytes);
            }
          }
        } catch (BufferOverflowException | StreamTooLongException e) {
          // The estimate was wrong: the next.
        }
        target.position(start);
      }
      target.limit(limit);
    }
    if (StreamHeader.BYTES + rawBytes > maxBytes) {
      throw new StreamTooLongException();
    }
    return writeRaw(values, target);
  }

  /** Writes values as others of the column were, without a look at them; null if that fails. */
  private @Nullable EncodingTree writeSettled(
      Choice settled, Values values, Facts facts, ByteBuffer target) {
    boolean constant = settled.encoding() == Encoding.CONST;
    try {
      if (constant || (settled.encoding() == Encoding.RLE && facts.hasLongRuns())) {
        return nested == null || !values.isPlain() ? null : writeWalked(values, facts, target);
      }
      return write(settled, values, values.count(), facts, target);
    } catch (BufferOverflowException | StreamTooLongException e) {
      return null;
    }
  }

  /** Long runs, or one of all values. */
  private @Nullable EncodingTree writeWalked(Values values, Facts facts, ByteBuffer target) {
    NestedWriter writer = Objects.requireNonNull(nested);
    int runs = writer.walk(values);
    if (runs < 0) {
      return null;
    }
    int start = StreamHeader.begin(target);
    if (runs == 1) {
      target.putLong(writer.firstOf(values));
      return end(Encoding.CONST, values, start, target, List.of());
    }
    List<EncodingTree> children = writer.writeRuns(values, runs, facts, target);
    return end(Encoding.RLE, values, start, target, children);
  }

  /** What was learned elsewhere may not hold here: then the stream is looked at by itself. */
  private EncodingTree settle(
      EncodingTree tree, Values values, Facts facts, ByteBuffer target, int start, int maxBytes) {
    if (facts.isSurprising(tree.bytes(), values.count())) {
      target.position(start);
      return write(values, new Facts(), target, maxBytes);
    }
    facts.noteWritten(tree.bytes(), values.count());
    return tree;
  }

  private List<Choice> choose(Values values, Facts facts) {
    int sought = facts.sought();
    statistics.scan(values, Math.max(Statistics.VALUES, sought));
    List<Choice> choices = chooser.choose(values, statistics, facts, nested == null);
    if (sought != Statistics.ALL && facts.isSurprising(choices.get(0).bytes(), values.count())) {
      statistics.scan(values);
      return chooser.choose(values, statistics, facts, nested == null);
    }
    facts.note(choices, values.count(), statistics.runs());
    return choices;
  }

  /** Writes values as they are, without a look at them. */
  static EncodingTree writeRaw(Values values, ByteBuffer target) {
    int start = StreamHeader.begin(target);
    values.writeRaw(target);
    return end(Encoding.RAW, values, start, target, List.of());
  }

  /**
   * Writes a stream in a given encoding, whether or not it suits: for tests that try them all.
   *
   * @return null if it cannot be
   */
  @Nullable EncodingTree writeAs(Encoding encoding, Values values, ByteBuffer target) {
    Facts facts = new Facts();
    Choice choice = chooser.choiceOf(encoding, values, facts, nested == null);
    return choice == null ? null : writeAs(choice, values, facts, target);
  }

  /** How a stream can be written in an encoding; null if it cannot be. */
  @Nullable Choice choiceOf(Encoding encoding, Values values, Facts facts) {
    return chooser.choiceOf(encoding, values, facts, nested == null);
  }

  /** As the other {@code writeAs}, with what is known of the values already. */
  @Nullable EncodingTree writeAs(Choice choice, Values values, Facts facts, ByteBuffer target) {
    if (choice.encoding() == Encoding.RAW) {
      return writeRaw(values, target);
    }
    if (choice.encoding() == Encoding.CONST || !choice.encoding().needsNoScan()) {
      statistics.scan(values, Math.max(Statistics.VALUES, facts.sought()));
    }
    return write(choice, values, values.count(), facts, target);
  }

  /** Null if the encoding does not suit the values. */
  private @Nullable EncodingTree write(
      Choice choice, Values values, int maxRuns, Facts facts, ByteBuffer target) {
    Encoding encoding = choice.encoding();
    int start = StreamHeader.begin(target);
    List<EncodingTree> children = List.of();
    switch (encoding) {
      case CONST -> target.putLong(statistics.min());
      case FOR, PFOR, DELTA, PDELTA ->
          frames.write(values, statistics, encoding.order(), choice.patching(), target);
      case NARROW -> narrow.write(values, target);
      default -> {
        children = nested == null ? null : nested.write(choice, values, maxRuns, facts, target);
        if (children == null) {
          return null;
        }
      }
    }
    return end(encoding, values, start, target, children);
  }

  private static EncodingTree end(
      Encoding encoding, Values values, int start, ByteBuffer target, List<EncodingTree> children) {
    StreamHeader.end(target, start, encoding.id(), 0);
    return new EncodingTree(encoding.name(), values.count(), target.position() - start, children);
  }

  @Override
  public String toString() {
    return "StreamWriter[depth %d]".formatted(depth);
  }
}
