package io.drayage.study.serialize4j;

import java.io.IOException;
import java.util.List;

/** One library, for the objects of one class. Not thread-safe. */
interface Library {
  /** All objects, each by itself unless they go together. */
  List<byte[]> write(List<?> objects) throws IOException;

  List<Object> read(List<byte[]> bytes) throws IOException;
}
