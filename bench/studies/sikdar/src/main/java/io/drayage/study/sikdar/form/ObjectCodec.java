package io.drayage.study.sikdar.form;

import java.io.IOException;

/** Turns single objects into arrays of bytes of their own, and back. Not thread-safe. */
public interface ObjectCodec {
  String name();

  byte[] write(ObjectKind kind, Object object) throws IOException;

  Object read(ObjectKind kind, byte[] bytes) throws IOException;
}
