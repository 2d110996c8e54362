package io.drayage.columnar.stream;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a sample told about a stream and, once they were written, about the streams within: it may
 * be taken from one segment of a column for all others, so that they need no samples. What one pass
 * tells exactly is looked up in every segment. Not thread-safe.
 */
public final class Facts {
  /** What may cost this much more than the best choice may be the best one elsewhere. */
  private static final double CLOSE = 1.3;

  private static final int MIN_LONG_RUN = 24;
  private static final double SURPRISE = 1.4;
  private static final int SURPRISE_BYTES = 512;

  /** Streams within a stream of which facts are kept. */
  private static final int PLACES = 2;

  private final @Nullable Hint[] hints = new Hint[Encoding.MAX_ID + 1];
  private final @Nullable Facts[] children = new Facts[PLACES * (Encoding.MAX_ID + 1)];
  private final boolean[] learned = new boolean[Encoding.MAX_ID + 1];
  private final boolean[] equality = new boolean[Encoding.MAX_ID + 1];
  private final boolean shared;
  private boolean known;
  private boolean frozen;
  private int sought = Statistics.ALL;
  private @Nullable Encoding settled;
  private boolean longRuns;
  private double expectedBytes;

  /** What a value took in an encoding that was tried; 0 of others. */
  private final double[] triedBytes = new double[Encoding.MAX_ID + 1];

  /** Of streams to come as well: a sample of one pays for all. */
  public Facts() {
    this(true);
  }

  private Facts(boolean shared) {
    this.shared = shared;
  }

  /** Of one stream: a sample must pay for itself. */
  public static Facts ofOne() {
    return new Facts(false);
  }

  /** Whether they are of streams to come as well. */
  public boolean isShared() {
    return shared;
  }

  /** Whether nothing more is learned. */
  public boolean isFrozen() {
    return frozen;
  }

  /** Whether nothing was learned in time: what is learned now is no other stream's business. */
  public boolean isClosed() {
    return frozen && !known && settled == null;
  }

  /** Those of a stream of as many values, of which the same are equal. */
  private Facts ofEquals() {
    Facts facts = ofOne();
    for (int id = 0; id < equality.length; id++) {
      facts.learned[id] = equality[id];
      facts.hints[id] = equality[id] ? hints[id] : null;
    }
    return facts;
  }

  /** Takes what a sample tells about an encoding, unless it did. */
  public void learn(Encoding encoding, ValueSample sample, Values values) {
    if (!learned[encoding.id()]) {
      learned[encoding.id()] = true;
      equality[encoding.id()] = encoding.learnsEquality();
      hints[encoding.id()] = encoding.learn(sample, values);
    }
    known = true;
  }

  /** Takes what is known of an encoding without a sample; null if it does not suit. */
  public void learn(Encoding encoding, @Nullable Hint hint) {
    learned[encoding.id()] = true;
    hints[encoding.id()] = hint;
  }

  /**
   * Notes what became of a stream in an encoding, whatever a sample tells; nothing is settled then.
   *
   * @param bytes of a value; infinite if the values do not suit
   */
  public void noteTried(Encoding encoding, double bytes) {
    triedBytes[encoding.id()] = bytes;
    frozen = false;
    settled = null;
  }

  /** Forgets what became of a stream: others may be different. */
  public void forgetTried() {
    Arrays.fill(triedBytes, 0);
  }

  /** Whether anything was tried. */
  public boolean hasTried() {
    return Arrays.stream(triedBytes).anyMatch(bytes -> bytes > 0);
  }

  /** What a value took in an encoding that was tried; 0 if it was not. */
  public double triedBytes(Encoding encoding) {
    return triedBytes[encoding.id()];
  }

  /** What a sample told about an encoding; null if nothing, or that it does not suit. */
  public @Nullable Hint hint(Encoding encoding) {
    return hints[encoding.id()];
  }

  /**
   * Notes what was worth a try, so that other streams are scanned for that only.
   *
   * @param choices best first
   * @param runs of equal values; as many as {@code count} if not known
   */
  public void note(List<Choice> choices, int count, int runs) {
    if (frozen) {
      return;
    }
    Choice best = choices.get(0);
    settled = !shared || best.encoding().isWrittenUnscanned() ? best.encoding() : null;
    longRuns = runs <= count / MIN_LONG_RUN;
    sought = best.encoding().statistics() == 0 ? Statistics.ALL : 0;
    for (Choice choice : choices) {
      boolean close = choice.ns() <= CLOSE * best.ns();
      sought |= close ? choice.encoding().statistics() : 0;
    }
    // Where the next best costs more, the best may become longer and is best still.
    double leeway = choices.size() > 1 ? choices.get(1).ns() / best.ns() : 1;
    expectedBytes = Math.max(1, leeway) * best.bytes() / count;
  }

  /** Notes how long a stream has become. */
  public void noteWritten(int bytes, int count) {
    if (!frozen) {
      expectedBytes = Math.max(expectedBytes, (double) bytes / count);
    }
  }

  /** What is to be tried without a scan; null if nothing is. */
  public @Nullable Encoding settled() {
    return frozen ? settled : null;
  }

  /** Whether an encoding is tried without a look at the values. */
  public boolean isSettledOn(Encoding encoding) {
    return settled() == encoding;
  }

  /** Whether runs of equal values were long. */
  public boolean hasLongRuns() {
    return longRuns;
  }

  /** What streams are to be scanned for. */
  public int sought() {
    return frozen ? sought : Statistics.ALL;
  }

  /** Whether a stream of so many bytes is much longer than what was noted. */
  public boolean isSurprising(double bytes, int count) {
    return frozen && bytes > SURPRISE * expectedBytes * count + SURPRISE_BYTES;
  }

  /** From now on, only what is known counts. */
  public void freeze() {
    frozen = true;
    for (Facts child : children) {
      if (child != null) {
        child.freeze();
      }
    }
  }

  /**
   * Those of a stream within an encoding that has as many values, of which the same are equal; null
   * as for {@link #child}.
   */
  public @Nullable Facts childOfEquals(Encoding encoding, int place) {
    return shared ? child(encoding, place) : ofEquals();
  }

  /**
   * Those of a stream within an encoding; null if there are none and can be none any more.
   *
   * @param place which of its streams: 0 or 1
   */
  public @Nullable Facts child(Encoding encoding, int place) {
    int at = PLACES * encoding.id() + place;
    if (children[at] == null && !frozen) {
      children[at] = new Facts(shared);
    }
    return children[at];
  }
}
