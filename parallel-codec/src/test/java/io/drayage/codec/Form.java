package io.drayage.codec;

/** The two forms in which a codec carries a cargo, one for each pipeline. */
enum Form {
  /** One byte stream through streams of the serializer and of the compressor. */
  STREAM,
  /** Independent segments between direct buffers. */
  SEGMENTS
}
