package io.drayage.study.hazelcast.published.persons;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serial;

/** A person that writes itself to Java's streams. */
public final class PersonExternalizable extends Person implements Externalizable {
  @Serial private static final long serialVersionUID = 1;

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    out.writeUTF(firstName);
    out.writeUTF(lastName);
    out.writeObject(passport);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
    firstName = in.readUTF();
    lastName = in.readUTF();
    passport = (PassportExternalizable) in.readObject();
  }
}
