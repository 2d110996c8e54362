package io.drayage.codec;

/** A serializer or a compressor, as the registry knows it. */
public interface Codec {
  /** The highest number that is kept for the codecs of this library. */
  int MAX_RESERVED_ID = 127;

  /** The highest number. */
  int MAX_ID = 255;

  /**
   * The number on the wire, frozen once something was written with it: 1 to {@value
   * #MAX_RESERVED_ID} for the codecs of this library, above and up to {@value #MAX_ID} for those of
   * users.
   */
  int id();

  /** The name in a system's notation, such as {@code raw}: letters, digits and hyphens. */
  String name();

  /**
   * Checks that it can run in this JVM; each use of one that cannot fails in the same way.
   *
   * @throws UnsupportedOperationException if it lacks something here, naming it and the remedy
   */
  default void requireUsable() {}
}
