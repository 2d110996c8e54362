package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializable;
import java.io.IOException;
import java.util.Objects;

/** A person that writes itself, after the name of its class. */
public class PersonDataSerializable extends Person implements DataSerializable {
  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeString(firstName);
    out.writeString(lastName);
    out.writeObject(passport);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    firstName = Objects.requireNonNull(in.readString());
    lastName = Objects.requireNonNull(in.readString());
    passport = in.readObject();
  }
}
