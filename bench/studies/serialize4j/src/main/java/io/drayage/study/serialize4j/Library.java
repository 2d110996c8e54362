package io.drayage.study.serialize4j;

import java.io.IOException;
import java.util.List;

/** One library, for the objects of one class. Not thread-safe. */
interface Library {
  /** Writes all objects, each separately unless the library writes them together. */
  List<byte[]> write(List<?> objects) throws IOException;

  List<Object> read(List<byte[]> bytes) throws IOException;
}
