package io.drayage.study.sikdar.form;

import java.io.IOException;

/** Converts each object to a separate array of bytes, and back. Not thread-safe. */
public interface ObjectCodec {
  String name();

  byte[] write(ObjectKind kind, Object object) throws IOException;

  Object read(ObjectKind kind, byte[] bytes) throws IOException;
}
