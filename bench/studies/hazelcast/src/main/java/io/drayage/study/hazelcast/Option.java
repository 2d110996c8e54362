package io.drayage.study.hazelcast;

import io.drayage.study.hazelcast.published.persons.Person;
import java.io.IOException;
import java.util.List;

/** One way to write persons. Not thread-safe. */
interface Option {
  String name();

  /** Returns the objects to write, one after the other: one for each person, or batches. */
  List<?> own(List<Person> persons);

  byte[] write(Object own) throws IOException;

  /** Reads the bytes, with the text of the person or of all persons of the batch. */
  Object read(byte[] bytes) throws IOException;
}
