package io.drayage.coordination;

/**
 * How far a live node is.
 *
 * @param loaded the newest snapshot that it has loaded, some tenths of a second ago; 0 if it has
 *     not told
 * @param epoch of the term in which it accepts cargoes; 0 if it does not
 */
public record NodeProgress(long loaded, long epoch) {
  /** The progress of a node that has not reported any. */
  public static final NodeProgress UNKNOWN = new NodeProgress(0, 0);
}
