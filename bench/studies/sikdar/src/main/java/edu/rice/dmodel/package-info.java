/**
 * The classes whose objects the study writes and reads. Java serialization writes the full names of
 * classes and fields into every object. So sizes equal the published ones only in this package and
 * with these names, odd ones included.
 */
package edu.rice.dmodel;
