package io.drayage.codec;

/** A serializer or a compressor, as the registry knows it. */
public interface Codec {
  /** The highest number that is reserved for the codecs of this library. */
  int MAX_RESERVED_ID = 127;

  /** The highest number. */
  int MAX_ID = 255;

  /**
   * The number on the wire, frozen after something was written with it: 1 to {@value
   * #MAX_RESERVED_ID} for this library's codecs, then up to {@value #MAX_ID} for users' codecs.
   */
  int id();

  /** The name in a system's notation, such as {@code raw}: letters, digits and hyphens. */
  String name();

  /**
   * Checks that the codec can run in this JVM. If it cannot, each use of it fails in the same way.
   *
   * @throws UnsupportedOperationException that names the missing part and the remedy
   */
  default void requireUsable() {}
}
